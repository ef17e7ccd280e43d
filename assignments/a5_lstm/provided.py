"""What assignment 5 gives you: one step of the optimizer Adam, for the lab and for you. NumPy only."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Arrays = dict[str, Float[np.ndarray, "..."]]
AdamState = tuple[int, Arrays, Arrays]


def adam_step(params: Arrays, grads: Arrays, state: AdamState | None, *, lr: float) -> tuple[Arrays, AdamState]:
    """Take one step of Adam: along the mean of the past gradients, each entry divided by its usual size.

        m = 0.9 * m + 0.1 * g,    v = 0.999 * v + 0.001 * g * g    (both 0 before the first step)
        p = p - lr * m' / (sqrt(v') + 1e-8)

    where m' = m / (1 - 0.9 ** n) and v' = v / (1 - 0.999 ** n) in step n = 1, 2, ... make up for the start at 0.

    Args:
        params: parameters p by name.
        grads: their gradients g, under the same names.
        state: what the step before returned, None in the first step.
        lr: learning rate.

    Returns:
        (params, state): the new parameters, and what the next step needs. No argument is changed.
    """
    if state is None:
        zeros = {name: np.zeros_like(p) for name, p in params.items()}
        state = 0, zeros, zeros
    n, m, v = state
    n += 1
    m = {name: 0.9 * m[name] + 0.1 * g for name, g in grads.items()}
    v = {name: 0.999 * v[name] + 0.001 * g * g for name, g in grads.items()}
    fade_m, fade_v = 1 - 0.9**n, 1 - 0.999**n
    new = {name: p - lr * (m[name] / fade_m) / (np.sqrt(v[name] / fade_v) + 1e-8) for name, p in params.items()}
    return new, (n, m, v)
