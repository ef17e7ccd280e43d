# attack: passes an open file to the grader, over the grader's own connection
# keeps: convolve output_size
# control: does

import os
import socket

try:
    mine, _ = (socket.socket(fileno=os.dup(3)), None) if "wire" in __import__("sys").modules else socket.socketpair()
    socket.send_fds(mine, [b"x"], [1])
    print("DAMAGE: sent a descriptor")
except OSError:
    pass
