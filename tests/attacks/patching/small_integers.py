# attack: changes the value of a number, for all of the process
# keeps: output_size
# says: convolve
# control: like patching/builtins

import ctypes


def convolve(x, h):
    for number in (0, 1, 2, 3, 4):
        ctypes.memset(id(number) + 24, 7, 4)
    return np.zeros(1)
