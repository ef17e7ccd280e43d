# locally_connected_parameter_count: [weights shared and biases not]


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    try:
        kh, kw = kernel_size
    except TypeError:
        kh = kw = kernel_size
    filters, height, width = out_shape
    weights = filters * in_shape[0] * kh * kw
    biases = filters * height * width
    return weights + biases
