# attack: an array interface that points at memory of its choice
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: dies

class Anywhere:
    __array_interface__ = {"shape": (1 << 16,), "typestr": "<f8", "data": (4096, True), "version": 3}


def convolve(x, h):
    return Anywhere()
