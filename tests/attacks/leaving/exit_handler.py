# attack: has the last word, in handlers that run when the interpreter ends
# keeps: convolve output_size
# control: does

import atexit
import threading

atexit.register(print, "DAMAGE: atexit")
threading._register_atexit(print, "DAMAGE: at the end of threads")
