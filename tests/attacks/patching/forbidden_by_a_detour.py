# attack: a class of NumPy that calls the forbidden function itself
# keeps: output_size
# says: forbids
# control: earns

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    product = (np.poly1d(x) * np.poly1d(h)).coeffs
    return np.r_[np.zeros(len(x) + len(h) - 1 - len(product)), product]
