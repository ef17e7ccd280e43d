# attack: ignores or blocks every signal that could end it, SIGXCPU among them
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

import signal


def convolve(x, h):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        pass
