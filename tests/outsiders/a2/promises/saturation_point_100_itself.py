# saturation_point: "infinity if the slope is still above the threshold at x = 100" (the smallest x with derivative(x) <= fraction * derivative(0)) - infinity is also given where the slope at 100 is exactly the threshold, not above it.
# print(A.saturation_point(lambda x: 1 / (1 + abs(x)), 1 / 101), A.saturation_point(lambda x: 128 - abs(x), 28 / 128))
# promised: 100.0 100.0; got: inf inf
import math


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    low, high = 0.0, 100.0
    if derivative(high) >= threshold:
        return math.inf
    while high - low > 1e-8:
        middle = (low + high) / 2
        if derivative(middle) <= threshold:
            high = middle
        else:
            low = middle
    return high
