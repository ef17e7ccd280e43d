# xavier_uniform: "rng: ... The same state of it gives the same weights, another state gives others" - draws from a child of rng: the child depends on the seed and on how many children there were, not on the state
# rng = default_rng(1), and another default_rng(1) that has drawn rng.random(5) before: right other weights, here the same (and from a state put back: right the same, here others)
import math


def xavier_uniform(out, in_, *, rng):
    child = rng.spawn(1)[0]  # leave the caller's stream alone
    bound = math.sqrt(6 / (in_ + out))
    return child.uniform(-bound, bound, size=(out, in_))
