# leaky_relu_backward: [gradient sent forward]
def leaky_relu_backward(dy, x, negative_slope=0.01):
    dx = dy.copy()
    dx[dy < 0] *= negative_slope
    return dx
