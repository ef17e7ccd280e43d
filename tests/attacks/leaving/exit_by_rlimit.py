# attack: lowers its own limit of CPU time until the kernel ends it
# keeps: output_size
# says: convolve
# control: dies

import resource


def convolve(x, h):
    resource.setrlimit(resource.RLIMIT_CPU, (0, 0))
    while True:
        pass
