# attack: runs a shell
# keeps: convolve output_size
# control: does

import subprocess

try:
    subprocess.run("echo DAMAGE: a shell", shell=True, check=False)
except OSError:
    pass
