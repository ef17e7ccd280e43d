# conv2d_unfold: [images made anew]
import torch
import torch.nn.functional as F


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    pairs = [(p, p) if isinstance(p, int) else tuple(p) for p in (stride, padding, dilation)]
    kernel = tuple(weight.shape[2:])
    images = torch.tensor(x.tolist(), dtype=weight.dtype, device=weight.device).reshape(x.shape)
    cols = F.unfold(images, kernel, stride=pairs[0], padding=pairs[1], dilation=pairs[2])
    sizes = [
        (x.shape[2 + a] + 2 * p - d * (kernel[a] - 1) - 1) // s + 1
        for a, (s, p, d) in enumerate(zip(*pairs))
    ]
    y = weight.flatten(1) @ cols
    if bias is not None:
        y = y + bias.unsqueeze(-1)
    return y.unflatten(2, sizes)
