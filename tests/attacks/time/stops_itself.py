# attack: stops its own process, which no CPU limit would notice
# keeps: output_size
# says: raises PermissionError
# control: hangs

import os
import signal


def convolve(x, h):
    os.kill(os.getpid(), signal.SIGSTOP)
