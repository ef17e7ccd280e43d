# attack: a hundred thousand keys that hash alike
# keeps: output_size
# says: disturbs the connection
# control: like forging/negative_length

import msgpack


def convolve(x, h):
    pairs = [["id", seen[-1]], *([k * (2**61 - 1) % 2**63, 0] for k in range(90_000))]
    skeleton = msgpack.packb(["dict", pairs])
    say(frame(struct.pack("<I", len(skeleton)) + skeleton))
