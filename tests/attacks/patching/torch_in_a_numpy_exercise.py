# attack: reaches a library that this exercise is not given
# keeps: convolve output_size
# control: does

import importlib
import os
import sys

for name in ("torch", "scipy"):
    sys.modules.pop(name, None)
    importlib.invalidate_caches()
    try:
        importlib.import_module(name)
        print("DAMAGE: imported", name)
    except ImportError:
        pass
for folder in sys.path:
    if os.path.exists(os.path.join(folder, "torch")):
        print("DAMAGE: found torch")
