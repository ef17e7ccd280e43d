# saturation_point: "infinity (``math.inf`` or ``np.inf``) if the slope is still above the threshold at x = 100." - also where the slope just meets the threshold there
# derivative = lambda x: 100.0 / (100 + abs(x)), fraction = 0.5: right 100; here infinity
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
        if derivative(middle) > threshold:
            low = middle
        else:
            high = middle
    return (low + high) / 2
