# attack: a thread that never gives the interpreter back
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

import sys
import threading


def spin():
    while True:
        pass


def convolve(x, h):
    sys.setswitchinterval(1e6)
    threading.Thread(target=spin, daemon=True).start()
    threading.Event().wait(0.01)
    return np.zeros(1)
