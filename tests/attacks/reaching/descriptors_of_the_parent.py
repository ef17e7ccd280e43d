# attack: takes open files from another process
# keeps: convolve output_size
# control: does

import ctypes
import os

parent = os.getppid()
try:
    for name in os.listdir(f"/proc/{parent}/fd"):
        os.stat(f"/proc/{parent}/fd/{name}")
        print("DAMAGE: a descriptor of the parent")
except OSError:
    pass
try:
    if ctypes.CDLL(None).syscall(438, os.pidfd_open(parent), 0, 0) >= 0:
        print("DAMAGE: pidfd_getfd")
except OSError:
    pass
