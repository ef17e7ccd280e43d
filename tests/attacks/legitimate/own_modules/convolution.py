# attack: none: helper modules and packages of its own, with relative imports
# keeps: convolve output_size

import helpers
from tools.sums import convolve


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    return helpers.windows(size + 2 * padding, dilation * (kernel_size - 1) + 1, stride)
