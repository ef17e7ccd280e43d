# attack: hooks for exceptions, which end the process
# keeps: output_size
# says: ends the Python process
# control: dies

import os
import sys


class Held:
    def __del__(self):
        raise ValueError


def convolve(x, h):
    sys.unraisablehook = sys.excepthook = lambda *_: os._exit(0)
    Held()
    return np.zeros(1)
