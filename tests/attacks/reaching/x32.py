# attack: x32 system calls, whose numbers have a bit more
# keeps: output_size
# says: convolve
# control: like reaching/other_instruction_sets

import ctypes


def convolve(x, h):
    if ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 | 57)) >= 0:
        print("DAMAGE: a process by x32", flush=True)
    raise RuntimeError("not this time")
