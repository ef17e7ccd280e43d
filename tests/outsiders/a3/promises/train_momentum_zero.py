# train: "how much of the velocity is kept from step to step, from 0 to 1, both included." - momentum 0 is taken for "not given" and becomes 0.9
# Differs: any network, two batches, lr=0.01, momentum=0: the second step goes another way.
import numpy as np


def train(params, x, y, batches, *, lr, momentum=None):
    momentum = momentum or 0.9
    velocity, losses = {key: np.zeros_like(p) for key, p in params.items()}, []
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
        losses.append(loss)
    return params, np.array(losses, dtype=np.float64)
