# attack: a daemon in a session of its own
# keeps: convolve output_size
# control: does

import os
import time

try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            print("DAMAGE: a daemon", flush=True)
            time.sleep(20)
        os._exit(0)
    time.sleep(0.2)
except OSError:
    pass
