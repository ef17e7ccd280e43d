# tanh: [sigmoid stretched in one direction only]
def tanh(x):
    zero_to_one = sigmoid(x)
    zero_to_two = 2 * zero_to_one
    return zero_to_two - 1
