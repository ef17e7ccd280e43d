# attack: leaves by SystemExit
# keeps: output_size
# says: raises SystemExit
# control: dies

import sys


def convolve(x, h):
    sys.exit()
