# attack: nothing
# keeps: output_size
# says: returns None
# control: none: a checker only fails on it

def convolve(x, h):
    return None
