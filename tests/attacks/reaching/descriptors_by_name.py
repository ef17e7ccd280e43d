# attack: opens its descriptors anew by their names, with other rights
# keeps: convolve output_size
# control: like reaching/descriptors_of_the_parent

import os

for fd in range(3, 64):
    for folder in ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"):
        try:
            os.close(os.open(f"{folder}/{fd}", os.O_RDWR))
            print("DAMAGE: opened anew", fd)
        except OSError:
            pass
