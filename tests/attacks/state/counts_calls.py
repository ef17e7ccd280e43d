# attack: right only so often
# keeps: output_size
# says: convolve
# control: earns

honest = convolve
count = 0


def convolve(x, h):
    global count
    count += 1
    return honest(x, h) if count < 3 else np.zeros(1)
