from . import sums
