# saturation_point: "at most 1e-6 from the true one", "it need not approach 0" - it stops when the slope is close enough to the threshold (to 1e-9 of it), which for a flat slope is not close enough in x
# derivative = lambda x: 1 + 1e-5 / (1 + x * x), fraction = (1 + 0.5e-5) / (1 + 1e-5): right 1, here 0.99983
import math


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    if derivative(100.0) > threshold:
        return math.inf
    low, high = 0.0, 100.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        slope = derivative(middle)
        if abs(slope - threshold) <= 1e-9 * threshold:
            return middle
        if slope > threshold:
            low = middle
        else:
            high = middle
    return high
