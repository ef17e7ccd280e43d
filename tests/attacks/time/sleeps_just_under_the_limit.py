# attack: sleeps in every case, each time a little less than would be noticed
# keeps: convolve output_size
# control: none: each call ends by itself; only their sum is a nuisance
# waits: yes

import time

honest = convolve


def convolve(x, h):
    time.sleep(0.3)
    return honest(x, h)
