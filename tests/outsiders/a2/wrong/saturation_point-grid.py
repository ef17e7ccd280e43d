# saturation_point: [next point of a grid]
import math


def saturation_point(derivative, fraction):
    threshold = fraction * derivative(0.0)
    step = 0.001
    for k in range(100_001):
        x = k * step
        if derivative(x) <= threshold:
            return x
    return math.inf
