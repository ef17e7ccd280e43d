# attack: more files than a file system can name
# keeps: convolve output_size
# control: does

import os

made = 0
try:
    for number in range(3000):
        os.mkdir(f"attack-left-{number}")
        made += 1
except OSError:
    pass
if made == 3000:
    print("DAMAGE: 3000 inodes")
for number in range(made):
    os.rmdir(f"attack-left-{number}")
