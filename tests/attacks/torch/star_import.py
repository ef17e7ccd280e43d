# attack: the forbidden function under a name that only a star import brings
# exercises: a1 conv2d_unfold Conv2d
# keeps: nothing
# says: uses torch.nn.functional.conv*, which this exercise forbids
# control: none: the answers are right

from torch.nn import Module, Parameter
from torch.nn.functional import *


def _p(v):
    return v if isinstance(v, tuple) else (v, v)


def conv2d_unfold(x, weight, bias=None, *, stride=1, padding=0, dilation=1):
    return conv2d(x, weight, bias, stride=stride, padding=padding, dilation=dilation)


class Conv2d(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.weight = Parameter(torch.randn(out_channels, in_channels, *_p(kernel_size)))
        self.bias = Parameter(torch.zeros(out_channels)) if bias else None
        self.s, self.p = stride, padding

    def forward(self, x):
        return conv2d(x, self.weight, self.bias, self.s, self.p)
