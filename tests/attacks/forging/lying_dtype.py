# attack: a dtype of objects, so that bytes become pointers
# keeps: output_size
# says: disturbs the connection
# control: like forging/pickle_frame

import msgpack


def convolve(x, h):
    value = ["dict", [["id", seen[-1]], ["value", ["array", "|O", [1]]], ["changed", False]]]
    skeleton = msgpack.packb(value)
    say(frame(struct.pack("<I", len(skeleton)) + skeleton + bytes(8)))
