# attack: a frame that arrives very slowly
# keeps: output_size
# says: waits without computing for too long
# control: split hangs
# waits: yes

import time


def convolve(x, h):
    say(struct.pack("!i", 1000))
    for _ in range(1000):
        say(b"x")
        time.sleep(0.05)
