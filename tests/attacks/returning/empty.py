# attack: no number at all, of which all are right
# keeps: output_size
# says: returns the wrong shape
# control: earns

def convolve(x, h):
    return np.zeros((0, 4))
