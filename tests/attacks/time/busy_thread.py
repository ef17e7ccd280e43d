# attack: leaves a thread computing while the other exercises are asked
# keeps: convolve output_size
# control: hangs

import threading


def spin():
    while True:
        pass


threading.Thread(target=spin).start()
