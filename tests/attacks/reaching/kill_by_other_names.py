# attack: sends signals by tgkill, rt_sigqueueinfo and a pidfd
# keeps: convolve output_size
# control: does

import ctypes
import os
import signal

parent = os.getppid()
libc = ctypes.CDLL(None)
try:
    fd = os.pidfd_open(parent)
    signal.pidfd_send_signal(fd, signal.SIGCONT)
    print("DAMAGE: a signal by pidfd")
except OSError:
    pass
if libc.tgkill(parent, parent, signal.SIGCONT) == 0:
    print("DAMAGE: a signal by tgkill")
if libc.sigqueue(parent, signal.SIGCONT, 0) == 0:
    print("DAMAGE: a signal by sigqueue")
