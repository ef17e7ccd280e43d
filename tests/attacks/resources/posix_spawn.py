# attack: runs another program without forking first
# keeps: convolve output_size
# control: does

import os

try:
    os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", "echo DAMAGE: another program"], {}), 0)
except OSError:
    pass
