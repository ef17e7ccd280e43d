# attack: makes or enters namespaces and mounts, where it would be root
# keeps: convolve output_size
# control: does

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x400, 0x10000000, 0x00020000, 0x40000000):  # CLONE_FILES alone needs no right at all
    if libc.unshare(flag) == 0:
        print("DAMAGE: unshared", hex(flag))
for name in ("user", "mnt", "pid", "net"):
    try:
        if libc.setns(os.open(f"/proc/{os.getppid()}/ns/{name}", os.O_RDONLY), 0) == 0:
            print("DAMAGE: entered", name)
    except OSError:
        pass
if libc.chroot(b".") == 0:
    print("DAMAGE: chroot")
