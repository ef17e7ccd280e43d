# attack: things that give their values only once
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: a checker only fails on it

def convolve(x, h):
    return (value for value in np.zeros(len(x) + len(h) - 1))
