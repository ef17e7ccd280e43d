# sgd_momentum_step: "grads: the gradient for each of them, same keys and shapes" - goes through the three dictionaries in parallel and takes them to be in the same order
# params = {"a": [1.0], "b": [2.0]}, grads = {"b": [20.0], "a": [10.0]}, velocity zero, lr=0.1: right is a = 0, b = 0, here comes a = -1, b = 1
def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new_params, new_velocity = {}, {}
    for (name, p), g, v in zip(params.items(), grads.values(), velocity.values()):
        new_velocity[name] = momentum * v + g
        new_params[name] = p - lr * new_velocity[name]
    return new_params, new_velocity
