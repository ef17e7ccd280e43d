# attack: none: the right values in an array that is mapped from a file, not contiguous, big-endian
# keeps: convolve output_size
# the file that is mapped must be longer than the longest answer: it is this one, copied when it is written to

honest = convolve


def convolve(x, h):
    y = honest(x, h)
    mapped = np.memmap(__file__, ">f8", "c", shape=(2 * len(y),))[::2]
    mapped[:] = y
    return mapped
