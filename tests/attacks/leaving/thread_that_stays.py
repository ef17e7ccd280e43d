# attack: a thread for which the interpreter waits before it ends
# keeps: convolve output_size
# control: hangs

import threading

threading.Thread(target=threading.Event().wait).start()
