# train: [labels in another order than images]
import numpy as np


def train(params, x, y, batches, *, lr, momentum=0.9):
    current = {key: value.copy() for key, value in params.items()}
    velocity = {key: np.zeros_like(value) for key, value in params.items()}
    losses = []
    for batch in batches:
        images = np.stack([x[index] for index in batch])
        labels = np.array([y[index] for index in sorted(batch)])
        loss, grads = lenet5_loss_and_gradients(current, images, labels)
        current, velocity = sgd_momentum_step(current, grads, velocity, lr=lr, momentum=momentum)
        losses.append(loss)
    return current, np.array(losses, dtype=np.float64)
