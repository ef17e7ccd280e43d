# attack: buffers of other kinds
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: a checker only fails on it

def convolve(x, h):
    return memoryview(np.zeros(len(x) + len(h) - 1)).cast("B")
