# saturation_point: "The point, a Python float, at most 1e-6 from the true one" ("it need not approach 0") - the search stops as soon as the slope is math.isclose to the threshold (relative 1e-9), which happens too early where the slope levels off above 0 and hardly falls any more.
# slope = lambda x: 0.9 + 0.1 / (1 + x**2)
# true = 40.0
# print(A.saturation_point(slope, 0.9 + 0.1 / (1 + true**2)) - true)
# promised: at most 1e-6; got: about 1e-4
import math


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    if derivative(100.0) > threshold:
        return math.inf
    low, high = 0.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        slope = derivative(middle)
        if math.isclose(slope, threshold):
            return middle
        if slope > threshold:
            low = middle
        else:
            high = middle
    return (low + high) / 2
