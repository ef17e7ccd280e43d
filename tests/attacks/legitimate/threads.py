# attack: none: a pool of threads, and a short sleep
# keeps: convolve output_size

import time
from concurrent.futures import ThreadPoolExecutor

honest = convolve


def convolve(x, h):
    with ThreadPoolExecutor(2) as pool:
        time.sleep(0.01)
        return pool.submit(honest, x, h).result()
