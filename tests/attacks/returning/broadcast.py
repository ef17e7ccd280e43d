# attack: a shape that would be broadcast
# keeps: output_size
# says: returns the wrong shape
# control: earns

def convolve(x, h):
    y = np.zeros(len(x) + len(h) - 1)
    for k, s in enumerate(x):
        y[k : k + len(h)] += s * h
    return np.tile(y, (3, 1))
