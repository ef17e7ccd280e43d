# attack: an array in which every wrong number is masked
# keeps: output_size
# says: convolve
# control: earns

def convolve(x, h):
    return np.ma.masked_all(len(x) + len(h) - 1)
