# attack: a real segmentation fault
# keeps: output_size
# says: ends the Python process
# control: dies

import ctypes


def convolve(x, h):
    return ctypes.string_at(8)
