# train: header "The floating arrays of one call have one dtype, float32 or float64, and so have the results" - the velocity starts as np.zeros(shape), float64, and widens the parameters
# float32 params and x, one batch: right are float32 parameters, here come float64 ones
def train(params, x, y, batches, *, lr, momentum=0.9):
    velocity = {name: np.zeros(p.shape) for name, p in params.items()}
    losses = []
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        losses.append(loss)
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return dict(params), np.array(losses, np.float64)
