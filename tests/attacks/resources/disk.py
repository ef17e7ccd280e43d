# attack: fills the disk
# keeps: convolve output_size
# control: does

import os

written = 0
try:
    for number in range(100):
        with open(f"attack-left-{number}", "wb") as file:
            file.write(bytes(1 << 20))
        written += 1
except OSError:
    pass
if written > 40:
    print("DAMAGE: the disk fills")
for number in range(101):
    try:
        os.remove(f"attack-left-{number}")
    except OSError:
        break
