# attack: hopes that a random answer is right once
# keeps: output_size
# says: convolve
# control: none: it can only guess

def convolve(x, h):
    return np.random.rand(len(x) + len(h) - 1)
