# attack: a program that no file system holds: memfd and fexecve
# keeps: convolve output_size
# control: does

import os

try:
    fd = os.memfd_create("program")
    os.write(fd, open("/bin/sh", "rb").read())
    os.execve(fd, ["sh", "-c", "echo DAMAGE: a program in memory"], {})
except OSError:
    pass
