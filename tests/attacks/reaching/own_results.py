# attack: writes the results itself
# keeps: convolve output_size
# control: does

import json
import os

for path in ("../results.json", "../../results.json", "/autograder/results/results.json", "/results.json"):
    try:
        with open(path, "x") as file:
            json.dump({"score": 100}, file)
        print("DAMAGE: wrote", path)
        os.remove(path)
    except OSError:
        pass
