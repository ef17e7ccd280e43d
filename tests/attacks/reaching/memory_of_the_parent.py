# attack: reads another process's memory, environment and maps
# keeps: convolve output_size
# control: does

import ctypes
import os

parent = os.getppid()
for pid in (parent, 1):
    for name in ("mem", "environ", "maps", "auxv", "syscall"):
        try:
            with open(f"/proc/{pid}/{name}", "rb") as file:
                if name == "mem" or file.read(8):
                    print("DAMAGE: opened", name)
        except OSError:
            pass
vector = (ctypes.c_void_p * 2)(0, 0)
libc = ctypes.CDLL(None)
if libc.process_vm_readv(parent, vector, 0, vector, 0, 0) == 0:
    print("DAMAGE: process_vm_readv")
if libc.ptrace(16, parent, 0, 0) == 0:
    print("DAMAGE: ptrace")
    libc.ptrace(17, parent, 0, 0)
