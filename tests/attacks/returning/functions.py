# attack: a function in the place of an answer
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: a checker only fails on it

def convolve(x, h):
    return lambda *_: True
