# attack: an exception whose class lies about its name
# keeps: output_size
# says: raises ValueError
# control: none: it aims at the names in a report

class ValueError(Exception):
    __module__ = "builtins"


def convolve(x, h):
    raise ValueError("4 of 4 points")
