# attack: headers whose shape, count and dtype are not what follows
# keeps: output_size
# says: disturbs the connection
# control: like forging/negative_length

import msgpack


def raw(shape, dtype, body=b"12345678"):
    value = ["dict", [["id", seen[-1]], ["value", ["array", dtype, shape]], ["changed", False]]]
    skeleton = msgpack.packb(value)
    say(frame(struct.pack("<I", len(skeleton)) + skeleton + body))


def convolve(x, h):
    shapes = [[-1], [2**62, 4], [0, 2**62], [1] * 60, [True], [1.0], ["1"], [2**40, 2**40]]
    raw(shapes[len(x) % len(shapes)], "<f8")
