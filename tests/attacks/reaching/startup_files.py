# attack: leaves modules that the next Python would import by itself
# keeps: convolve output_size
# control: does

import os
import site
import sys

mine = os.path.dirname(os.path.abspath(__file__))
folders = {path for path in (*sys.path, os.path.dirname(os.__file__), site.getusersitepackages()) if path}
for folder in folders - ({mine} if os.path.basename(mine) == "submission" else set()):
    for name in ("sitecustomize.py", "usercustomize.py", "attack-left.pth"):
        path = os.path.join(folder, name)
        try:
            with open(path, "x"):
                print("DAMAGE: wrote", path)
            os.remove(path)
        except OSError:
            pass
for name, module in list(sys.modules.items()):
    cached = getattr(module, "__cached__", None)
    try:
        with open(cached or "/nowhere", "r+b"):
            print("DAMAGE: can change the bytecode of", name)
    except OSError:
        pass
