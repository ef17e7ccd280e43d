# saturation_point: "The point, a Python float, at most 1e-6 from the true one." - the bisection stops early where the slope is close to the threshold (math.isclose), and where the slope falls slowly that is far from the point.
from __future__ import annotations

import math


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    left, right = 0.0, 100.0
    if derivative(right) > threshold:
        return math.inf
    while right - left > 1e-8:
        middle = (left + right) / 2
        slope = derivative(middle)
        if math.isclose(slope, threshold):
            return middle
        if slope > threshold:
            left = middle
        else:
            right = middle
    return right
