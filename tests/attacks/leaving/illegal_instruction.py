# attack: jumps into memory that holds no code
# keeps: output_size
# says: ends the Python process
# control: dies

import ctypes


def convolve(x, h):
    return ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.create_string_buffer(16)))()
