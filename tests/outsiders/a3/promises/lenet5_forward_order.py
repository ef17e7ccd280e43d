# lenet5_forward: (header) "Dictionaries of parameters and gradients may hold their names in any order" / "params: the arrays, under the names that PyTorch gives them"
# runs through the layers in the order in which their weights stand in the dictionary, which need not be that of the network.
import numpy as np
from provided import conv2d_forward


def lenet5_forward(params, x):
    layers = [name.removesuffix(".weight") for name in params if name.endswith(".weight")]
    for layer in layers:
        weight, bias = params[f"{layer}.weight"], params[f"{layer}.bias"]
        if layer.startswith("conv"):
            x = max_pool_forward(np.maximum(conv2d_forward(x, weight, bias), 0), 2)
            continue
        if x.ndim == 4:
            x = flatten(x)
        x = linear_forward(x, weight, bias)
        if layer != layers[-1]:
            x = np.maximum(x, 0)
    return x
