# locally_connected_parameter_count: [outputs worked out from the input] height and width of the output are those of a layer without stride and padding
def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    C, H, W = in_shape
    F = out_shape[0]
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    places = (H - kh + 1) * (W - kw + 1)
    return F * places * (C * kh * kw + 1)
