# attack: numbers that are never unequal
# keeps: output_size
# says: returns values that are not finite
# control: earns

def convolve(x, h):
    return np.full(len(x) + len(h) - 1, np.nan)
