# attack: kills the process that started it
# keeps: convolve output_size
# control: does

import os
import signal

try:
    os.kill(os.getppid(), signal.SIGCONT)
    os.kill(os.getppid(), signal.SIGKILL)
    print("DAMAGE: the parent is dead")
except OSError:
    pass
