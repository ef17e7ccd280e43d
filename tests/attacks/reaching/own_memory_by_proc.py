# attack: writes into read-only memory through /proc/self/mem
# keeps: convolve output_size
# control: does

import os

try:
    text = "a string that cannot change"
    with open("/proc/self/mem", "r+b", 0) as memory:
        memory.seek(id(text) + 48)
        memory.write(memory.read(0) or b"A")
    print("DAMAGE: wrote into", text[:1])
except OSError:
    pass
