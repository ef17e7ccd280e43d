# attack: empties the table of modules
# keeps: output_size
# says: convolve
# control: none: it harms only who computes in its process

import sys


def convolve(x, h):
    sys.modules.clear()
    import nothing_that_exists
