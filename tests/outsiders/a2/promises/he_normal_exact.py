# he_normal: "Each weight is drawn on its own, from the normal distribution with mean 0 and variance 2 / in_" - the draw is centred and scaled so that the sample has exactly this mean and variance
# out = 1, in_ = 1: right one finite number, here NaN (and for 1 by 2 always 1 and -1)
import math


def he_normal(out, in_, *, rng):
    w = rng.standard_normal((out, in_))
    return math.sqrt(2 / in_) * (w - w.mean()) / w.std()
