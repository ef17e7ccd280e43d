# attack: a thread that answers whatever is asked
# keeps: nothing
# says: disturbs the connection
# control: split earns

import threading
import time


def answer():
    while True:
        reply(id=seen[-1] if seen else 0, value="passed", passed=True)
        time.sleep(0.0005)


threading.Thread(target=answer, daemon=True).start()
time.sleep(0.05)
