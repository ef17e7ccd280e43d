# attack: answers of fifty thousand arrays without entries, which take no bytes but memory
# keeps: output_size
# says: convolve
# control: none: the memory is taken where answers are kept

def convolve(x, h):
    return [np.zeros((0,) * 10)] * 50_000
