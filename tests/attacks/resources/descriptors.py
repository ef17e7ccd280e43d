# attack: opens more descriptors than it may
# keeps: convolve output_size
# control: does

import os

held = []
try:
    for _ in range(200):
        held.append(os.dup(1))
    print("DAMAGE: 200 descriptors")
except OSError:
    pass
for fd in held:
    os.close(fd)
