# attack: walks the file system for a place where something can be left for the next student
# keeps: convolve output_size
# control: does

import os

roots = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/home", "/root", "/etc", os.path.dirname(os.getcwd())]
for root in roots:
    path = os.path.join(root, f"attack-left-{os.getpid()}")
    try:
        with open(path, "w"):
            print("DAMAGE: wrote", path)
        os.remove(path)
    except OSError:
        pass
