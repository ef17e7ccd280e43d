# saturation_point: "infinity ... if the slope is still above the threshold at x = 100" - a slope that reaches the threshold exactly at 100 counts as above, too
# derivative = lambda x: 1 / (1 + abs(x)), fraction = 1 / 101: right 100, here infinity
import math


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    low, high = 0.0, 100.0
    if derivative(high) >= threshold:
        return math.inf
    while high - low > 1e-9:
        middle = (low + high) / 2
        if derivative(middle) > threshold:
            low = middle
        else:
            high = middle
    return high
