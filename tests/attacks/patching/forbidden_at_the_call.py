# attack: a forbidden function by a name that is put together
# keeps: output_size
# says: uses numpy.convolve, which this exercise forbids
# control: earns

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    return getattr(np, "con" + "volve")(x, h)
