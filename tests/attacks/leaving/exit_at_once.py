# attack: ends the process with success, without a word
# keeps: output_size
# says: ends the Python process
# control: dies

import os


def convolve(x, h):
    os._exit(0)
