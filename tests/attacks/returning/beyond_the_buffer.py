# attack: an array that reaches far beyond its memory
# keeps: output_size
# says: convolve
# control: dies

def convolve(x, h):
    return np.lib.stride_tricks.as_strided(np.zeros(1), (1 << 20,), (1 << 24,))
