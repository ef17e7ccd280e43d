# sgd_momentum_step: [velocity kept and not used]


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new_params = {}
    new_velocity = {}
    for name, theta in params.items():
        new_velocity[name] = momentum * velocity[name] + grads[name]
        new_params[name] = theta - lr * grads[name]
    return new_params, new_velocity
