# attack: half a frame, then silence
# keeps: output_size
# says: waits without computing for too long
# control: split hangs
# waits: yes

import time


def convolve(x, h):
    say(struct.pack("!i", 1000) + bytes(500))
    time.sleep(60)
