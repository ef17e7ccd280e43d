# attack: another program under a library of its own
# keeps: convolve output_size
# control: does

import os
import sys

os.environ["LD_PRELOAD"] = os.environ["LD_LIBRARY_PATH"] = os.getcwd()
os.environ["PYTHONSTARTUP"] = os.environ["PYTHONPATH"] = os.getcwd()
try:
    os.execve(sys.executable, [sys.executable, "-S", "-c", "print('DAMAGE: another Python')"], {"PYTHONHOME": sys.base_prefix})
except OSError:
    pass
