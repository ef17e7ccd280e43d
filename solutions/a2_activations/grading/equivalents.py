"""Automatic mutants of assignment 2's reference that answer alike wherever the stub says what to answer, and why."""

from __future__ import annotations

from autograder.course import Equivalent

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "activations",
        "sigmoid",
        "8d042ccd",
        "return np.where(x >= 0, 1, small) / (1 + small) → return np.where(x > 0, 1, small) / (1 + small)",
        "at 0 both halves give 1/2",
    ),
    Equivalent(
        "activations",
        "relu_backward",
        "06973586",
        "return dy * (x > 0) → return dy * (x >= 0)",
        "at the kink any subgradient is right",
    ),
    Equivalent(
        "activations",
        "leaky_relu",
        "68d1e467",
        "return np.where(x > 0, x, negative_slope * x) → return np.where(x >= 0, x, negative_slope * x)",
        "both lines meet at 0",
    ),
    Equivalent(
        "activations",
        "leaky_relu_backward",
        "055956c0",
        "return np.where(x > 0, dy, negative_slope * dy) → return np.where(x >= 0, dy, negative_slope * dy)",
        "at the kink any subgradient is right",
    ),
    Equivalent(
        "activations",
        "saturation_point",
        "14d4e3c8",
        "if derivative(low) <= threshold → nothing",
        "without it the interval shrinks onto 0, to within the tolerance",
    ),
    Equivalent(
        "activations",
        "saturation_point",
        "14d4e3c8",
        "if derivative(low) <= threshold → if derivative(low) < threshold",
        "for equal slopes the interval shrinks onto 0, to within the tolerance",
    ),
    Equivalent(
        "activations",
        "saturation_point",
        "14d4e3c8",
        "while high - low > 1e-09 → while high - low >= 1e-09",
        "the width equals the limit only by accident",
    ),
    Equivalent(
        "activations",
        "saturation_point",
        "14d4e3c8",
        "if derivative(middle) <= threshold → if derivative(middle) < threshold",
        "equality at one point moves the answer by rounding at most",
    ),
    Equivalent(
        "activations",
        "zigzag_descent",
        "a51e8ee6",
        "path = np.empty((steps + 1, 2), np.result_type(x, y, w0))"
        " → path = np.empty((steps + 1, 2), np.result_type(y, x, w0))",
        "the common type does not depend on the order",
    ),
    Equivalent(
        "activations",
        "zigzag_descent",
        "a51e8ee6",
        "distance = np.linalg.norm(path[-1] - path[0]) → distance = np.linalg.norm(path[0] - path[-1])",
        "a distance is the same both ways",
    ),
    Equivalent(
        "activations",
        "cross_entropy",
        "40b518cd",
        "chosen = np.where(kept, target, 0) → chosen = np.where(kept, target, 1)",
        "what stands for an ignored target is never looked at",
    ),
    Equivalent(
        "activations",
        "cross_entropy_backward",
        "6a2e4807",
        "classes = np.arange(logits.shape[1]).reshape(-1, *(1 for _ in target.shape[1:]))"
        " → classes = np.arange(logits.shape[1]).reshape(-2, *(1 for _ in target.shape[1:]))",
        "NumPy takes every negative number for the one size that it is to work out",
    ),
    Equivalent(
        "activations",
        "layer_statistics",
        "fad006d9",
        "found['saturated'].append((slope <= 0.1).mean()) → found['saturated'].append((slope < 0.1).mean())",
        "a slope equals the threshold only by accident",
    ),
    Equivalent(
        "activations_torch",
        "SigmoidFunction",
        "0ae591cb",
        "y = torch.where(x >= 0, 1, small) / (1 + small) → y = torch.where(x > 0, 1, small) / (1 + small)",
        "at 0 both halves give 1/2",
    ),
)
