# attack: structured and void arrays
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: a checker only fails on it

def convolve(x, h):
    return np.zeros(len(x) + len(h) - 1, [("a", "f8"), ("b", "V8")])
