# attack: waits for a lock that it holds itself
# keeps: output_size
# says: waits without computing for too long
# control: hangs
# waits: yes

import threading


def convolve(x, h):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
