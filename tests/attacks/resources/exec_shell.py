# attack: becomes a shell
# keeps: convolve output_size
# control: does

import os

try:
    os.execv("/bin/sh", ["sh", "-c", "echo DAMAGE: a shell in its place"])
except OSError:
    pass
