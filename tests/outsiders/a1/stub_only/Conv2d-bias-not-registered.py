# Conv2d: [bias not registered] the bias is a plain tensor and no nn.Parameter: the optimiser never sees it and the state dictionary lacks it
import torch
from torch import nn
from torch.nn import functional as F


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        as_pair = lambda p: (p, p) if isinstance(p, int) else tuple(p)
        self.kernel_size, self.stride, self.padding = as_pair(kernel_size), as_pair(stride), as_pair(padding)
        self.weight = nn.Parameter(0.1 * torch.randn(out_channels, in_channels, *self.kernel_size))
        self.bias = torch.zeros(out_channels, requires_grad=True) if bias else None

    def forward(self, x):
        (kh, kw), (sh, sw), (ph, pw) = self.kernel_size, self.stride, self.padding
        windows = F.pad(x, (pw, pw, ph, ph)).unfold(2, kh, sh).unfold(3, kw, sw)
        y = torch.einsum("ncijuv,fcuv->nfij", windows, self.weight)
        return y if self.bias is None else y + self.bias.view(1, -1, 1, 1)
