# attack: a thread that answers the question before last
# keeps: nothing
# says: disturbs the connection
# control: like forging/from_another_thread

import threading
import time


def answer():
    while len(seen) < 2:
        time.sleep(0.0001)
    reply(id=seen[-2], value=np.zeros(4), changed=False, cpu=0.0)


threading.Thread(target=answer, daemon=True).start()
honest = convolve


def convolve(x, h):
    time.sleep(0.01)
    return honest(x, h)


def output_size(*_, **__):
    raise RuntimeError
