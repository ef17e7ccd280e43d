# train: "shape (number of batches,), float64 for parameters of either dtype." - the losses come in the dtype of the images
# Differs: float32 params and x, one batch: right float64, here float32.
import numpy as np


def train(params, x, y, batches, *, lr, momentum=0.9):
    velocity = {key: np.zeros_like(p) for key, p in params.items()}
    losses = np.zeros(len(batches), dtype=x.dtype)
    for k, batch in enumerate(batches):
        losses[k], grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return params, losses
