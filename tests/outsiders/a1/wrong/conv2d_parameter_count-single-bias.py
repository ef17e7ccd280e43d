# conv2d_parameter_count: [one bias for the layer]
def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size,) * 2
    weights = out_channels * in_channels * kh * kw
    return weights + int(bias)
