# attack: reads what other students handed in, in the temporary folders and in those of users
# keeps: convolve output_size
# control: does

import os

for root in ("/tmp", "/var/tmp", "/home", "/root", os.path.dirname(os.getcwd())):
    try:
        if names := [n for n in os.listdir(root) if n not in ("submission", "site", "grader", "proc", "dev")]:
            print("DAMAGE: can list", root, names[:3])
    except OSError:
        pass
