# attack: aborts
# keeps: output_size
# says: ends the Python process
# control: dies

import os


def convolve(x, h):
    os.abort()
