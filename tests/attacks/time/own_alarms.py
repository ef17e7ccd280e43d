# attack: replaces a grader's alarm with its own, again and again
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

import signal


def again(*_):
    signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def convolve(x, h):
    again()
    while True:
        pass
