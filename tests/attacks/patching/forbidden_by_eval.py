# attack: a forbidden function in a string
# keeps: output_size
# says: uses numpy.convolve, which this exercise forbids
# control: earns

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    return eval("np." + "convolve(x, h)")
