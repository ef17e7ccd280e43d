# attack: cuts files by their names, without opening them
# keeps: convolve output_size
# control: does

import os

for path in (__file__, os.path.abspath("../attack-left-cut"), np.__file__):
    try:
        if path == __file__ and os.path.basename(os.path.dirname(path)) == "submission":
            continue  # its own
        size = os.stat(path).st_size
        os.truncate(path, size)
        print("DAMAGE: could cut", path)
    except OSError:
        pass
