# attack: forks until nothing can
# keeps: output_size
# says: raises PermissionError
# control: like resources/fork

import os


def convolve(x, h):
    while True:
        os.fork()
