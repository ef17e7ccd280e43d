# attack: memory from the kernel, past the allocator
# keeps: convolve output_size
# control: does

import mmap

try:
    held = mmap.mmap(-1, 3 << 30)
    print("DAMAGE: 3 GB mapped")
except OSError:
    pass
