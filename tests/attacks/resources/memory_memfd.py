# attack: memory that no limit of the address space counts
# keeps: convolve output_size
# control: does

import os

try:
    held = os.memfd_create("held")
    for _ in range(100):
        os.write(held, bytes(1 << 20))
    print("DAMAGE: 100 MB outside of its memory")
except OSError:
    pass
