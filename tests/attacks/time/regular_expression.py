# attack: a regular expression that backtracks for ever
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

import re


def convolve(x, h):
    return re.match("(a*)*b", "a" * 60)
