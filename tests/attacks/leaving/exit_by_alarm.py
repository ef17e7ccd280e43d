# attack: lets the kernel end it by a timer
# keeps: output_size
# says: ends the Python process
# control: dies
# waits: yes

import signal
import time


def convolve(x, h):
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.4)
