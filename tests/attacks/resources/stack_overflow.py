# attack: overflows the C stack
# keeps: output_size
# says: ends the Python process
# control: dies

import ctypes
import sys

deeper = ctypes.CFUNCTYPE(None)(lambda: deeper())


def convolve(x, h):
    sys.setrecursionlimit(10**9)
    deeper()
