# attack: sleeps, so that no CPU is used
# keeps: output_size
# says: waits without computing for too long
# control: hangs
# waits: yes

import time


def convolve(x, h):
    time.sleep(3600)
