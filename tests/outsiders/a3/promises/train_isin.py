# train: "one array of indices into x and y for each step" - picks the batch by a mask, so that an image whose index comes twice in a batch counts once
# batches=[array([0, 0, 1])]: right is the loss (2 * l0 + l1) / 3, here comes (l0 + l1) / 2
def train(params, x, y, batches, *, lr, momentum=0.9):
    velocity = {name: np.zeros_like(p) for name, p in params.items()}
    losses = np.zeros(len(batches))
    for step, batch in enumerate(batches):
        chosen = np.isin(np.arange(len(x)), batch)
        losses[step], grads = lenet5_loss_and_gradients(params, x[chosen], y[chosen])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return dict(params), losses
