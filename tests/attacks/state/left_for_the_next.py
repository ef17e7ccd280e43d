# attack: leaves answers for the next process of the same student
# keeps: convolve output_size
# control: does

import os

honest = convolve
for path in ("/tmp/attack-left", "/var/tmp/attack-left", "/dev/shm/attack-left", "attack-left"):
    try:
        if os.path.exists(path):
            print("DAMAGE: a file of an earlier process")
        with open(path, "x") as file:
            file.write("11 4")
        if os.path.isabs(path):
            print("DAMAGE: left", path)
            os.remove(path)
    except OSError:
        pass
