# attack: as many threads as it can
# keeps: convolve output_size
# control: does

import threading

stop = threading.Event()
started = 0
try:
    for _ in range(400):
        threading.Thread(target=stop.wait, daemon=True).start()
        started += 1
except (RuntimeError, MemoryError):
    pass
stop.set()
if started > 300:
    print("DAMAGE: 300 threads")
