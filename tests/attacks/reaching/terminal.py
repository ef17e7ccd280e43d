# attack: types into the teacher's terminal
# keeps: convolve output_size
# control: does

import fcntl
import os
import termios

try:
    master, slave = os.openpty()
    print("DAMAGE: a terminal of its own")
except OSError:
    pass
for fd in (0, 1, 2, 3):
    try:
        fcntl.ioctl(fd, termios.TIOCSTI, b"x")
        print("DAMAGE: typed")
    except OSError:
        pass
