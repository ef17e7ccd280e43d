# sgd_momentum_step: "the gradient for each of them, same keys and shapes." - pairs them by their order in the dictionaries, not by key
# Differs: params = {"a": [1.], "b": [1.]}, grads = {"b": [1.], "a": [0.]}, velocity of zeros: right moves b, here a moves.
def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new_params, new_velocity = {}, {}
    for key, p, g, v in zip(params, params.values(), grads.values(), velocity.values()):
        new_velocity[key] = momentum * v + g
        new_params[key] = p - lr * new_velocity[key]
    return new_params, new_velocity
