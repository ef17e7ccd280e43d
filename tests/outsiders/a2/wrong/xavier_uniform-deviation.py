# xavier_uniform: [deviation taken for the bound]
import math


def xavier_uniform(out, in_, *, rng):
    a = math.sqrt(2 / (in_ + out))
    return rng.uniform(-a, a, (out, in_))
