# attack: leaves a message for the next student in what the kernel counts for all
# keeps: convolve output_size
# control: does

import os

for path in ("/proc/loadavg", "/proc/sys/kernel/ns_last_pid", "/proc/stat", "/proc/self/mountinfo", "/proc/meminfo"):
    try:
        open(path).read()
        print("DAMAGE: read", path)
    except OSError:
        pass
