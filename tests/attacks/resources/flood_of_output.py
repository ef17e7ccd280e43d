# attack: 100 MB of output, past Python's own buffers
# keeps: convolve output_size
# control: does

import os

try:
    for fd in (1, 2):
        for _ in range(100):
            os.write(fd, b"x" * (1 << 20))
    os.pwrite(1, b"DAMAGE: 100 MB of output", 0)
except OSError:
    pass
