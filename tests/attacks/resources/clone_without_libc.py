# attack: the system calls behind fork, called directly
# keeps: convolve output_size
# control: does

import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": (57, 58), "aarch64": ()}.get(platform.machine(), ())
for call in (lambda: libc.fork(), *(lambda n=n: libc.syscall(n) for n in numbers[:1]), lambda: libc.syscall(56, 17, 0, 0, 0, 0)):
    pid = call()
    if pid == 0:
        os._exit(0)
    if pid > 0:
        print("DAMAGE: a second process")
