# invariance_rate: "unchanged if no entry of its output [...] differs by more than 1e-12" - holds the length of the whole difference (its norm) to 1e-12, not each entry
# x = zeros((1, 1, 10, 10)) with x[0, 0, 0, 0] = 1, layer = lambda x: 0 * x + 5e-13 * x[:, :, :1, :1], shifts=[(1, 0)] (all 100 entries differ by 5e-13): right is [1.0], here comes [0.0]
def invariance_rate(layer, x, shifts):
    before = np.asarray(layer(x)).reshape(len(x), -1)
    rates = []
    for down, right in shifts:
        after = np.asarray(layer(shift_image(x, down, right))).reshape(len(x), -1)
        rates.append(np.mean(np.linalg.norm(after - before, axis=1) <= 1e-12))
    return np.array(rates, np.float64)
