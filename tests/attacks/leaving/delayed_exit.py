# attack: faulthandler ends the process a little later, from C
# keeps: output_size
# says: ends the Python process
# control: dies
# waits: yes

import faulthandler
import time


def convolve(x, h):
    faulthandler.dump_traceback_later(0.05, exit=True)
    time.sleep(0.4)
    return np.zeros(1)
