# attack: shared memory, which stays when the process is gone
# keeps: convolve output_size
# control: does

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
segment = libc.shmget(0, 1 << 20, 0o1600)
if segment >= 0:
    print("DAMAGE: a segment of System V")
    libc.shmctl(segment, 0, None)
try:
    path = "/dev/shm/attack-left-shm"
    with open(path, "wb") as file:
        file.write(bytes(1 << 20))
    print("DAMAGE: /dev/shm")
    os.remove(path)
except OSError:
    pass
