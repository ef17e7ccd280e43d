# Conv2d: [pads of rows and columns exchanged]
import torch
import torch.nn.functional as F
from torch import nn


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
        self.stride = stride if isinstance(stride, tuple) else (stride, stride)
        self.padding = padding if isinstance(padding, tuple) else (padding, padding)
        bound = (in_channels * kh * kw) ** -0.5
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels, kh, kw).uniform_(-bound, bound))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_channels).uniform_(-bound, bound))
        else:
            self.register_parameter("bias", None)

    def forward(self, x):
        ph, pw = self.padding
        sh, sw = self.stride
        kh, kw = self.weight.shape[2:]
        xp = F.pad(x, (ph, ph, pw, pw))
        Ho, Wo = (xp.shape[2] - kh) // sh + 1, (xp.shape[3] - kw) // sw + 1
        y = 0
        for u in range(kh):
            for v in range(kw):
                seen = xp[:, :, u : u + sh * (Ho - 1) + 1 : sh, v : v + sw * (Wo - 1) + 1 : sw]
                y = y + torch.einsum("ncij,fc->nfij", seen, self.weight[:, :, u, v])
        if self.bias is not None:
            y = y + self.bias[:, None, None]
        return y
