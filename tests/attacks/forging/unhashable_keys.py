# attack: keys that cannot be hashed, and sentences in the place of names
# keeps: output_size
# says: convolve
# control: like forging/negative_length

import msgpack


def convolve(x, h):
    if len(x) % 2:
        return reply(id=seen[-1], raised="<script>alert('4 of 4 points')</script>", detail="\n" * 500)
    skeleton = msgpack.packb(["dict", [["id", seen[-1]], [["list", []], 0]]])
    say(frame(struct.pack("<I", len(skeleton)) + skeleton))
