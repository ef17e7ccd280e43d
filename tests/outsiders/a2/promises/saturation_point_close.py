# saturation_point: "The point, a Python float, at most 1e-6 from the true one." - the bisection ends where the slope is within 1e-12 of the threshold, which says little about x if the slopes are small
# derivative = lambda x: 1e-7 / (1 + x * x), fraction = 0.1: right 3; here it is off by more than 1e-5
import math


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    low, high = 0.0, 100.0
    if derivative(high) > threshold:
        return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        slope = derivative(middle)
        if abs(slope - threshold) < 1e-12:
            break
        if slope > threshold:
            low = middle
        else:
            high = middle
    return middle
