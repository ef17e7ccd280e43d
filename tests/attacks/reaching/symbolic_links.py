# attack: links out of its folder
# keeps: convolve output_size
# control: does

import os

for number, target in enumerate(("/etc/passwd", "/proc/1/root/etc/passwd", "/proc/self/root/etc/passwd", "../expected.txt")):
    try:
        path = f"attack-left-link-{number}"
        os.symlink(target, path)
        try:
            open(path, "rb").read(1)
            print("DAMAGE: read", target)
        finally:
            os.remove(path)
    except OSError:
        pass
