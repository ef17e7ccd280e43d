# attack: a process of its own, which outlives the grading
# keeps: convolve output_size
# control: does

import os
import time

try:
    if os.fork() == 0:
        print("DAMAGE: a second process", flush=True)
        time.sleep(20)
        os._exit(0)
    time.sleep(0.2)
except OSError:
    pass
