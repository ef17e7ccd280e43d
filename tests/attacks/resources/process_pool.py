# attack: a pool of processes
# keeps: convolve output_size
# control: does

import multiprocessing
import sys

try:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        if sum(pool.map(abs, range(4))) == 6:
            print("DAMAGE: a pool of processes")
except OSError:
    pass
