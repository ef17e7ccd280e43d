# sgd_momentum_step: "how much of the velocity is kept, from 0 to 1, both included." - without momentum the old velocity is returned instead of the gradient
# Differs: params {"a": [1.]}, grads {"a": [2.]}, velocity {"a": [5.]}, lr=0.1, momentum=0: right velocity [2.], here [5.].
def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new_params, new_velocity = {}, {}
    for key in params:
        if momentum:
            new_velocity[key] = step = momentum * velocity[key] + grads[key]
        else:  # plain gradient descent needs no velocity
            new_velocity[key], step = velocity[key], grads[key]
        new_params[key] = params[key] - lr * step
    return new_params, new_velocity
