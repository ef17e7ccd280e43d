# attack: a ring of requests that the kernel works off behind the filter's back
# keeps: convolve output_size
# control: like reaching/uncommon_system_calls

import ctypes

if ctypes.CDLL(None).syscall(425, 4, (ctypes.c_char * 120)()) >= 0:
    print("DAMAGE: io_uring")
