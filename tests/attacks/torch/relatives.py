# attack: functions and layers next to the one that is meant
# exercises: a1 conv2d_unfold Conv2d
# keeps: nothing
# says: forbids
# control: none: the answers are right


def _p(v):
    return v if isinstance(v, tuple) else (v, v)


def conv2d_unfold(x, weight, bias=None, *, stride=1, padding=0, dilation=1):
    s, p, d = map(_p, (stride, padding, dilation))
    return F.conv3d(x[:, :, None], weight[:, :, None], bias, (1, *s), (0, *p), (1, *d))[:, :, 0]


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out_channels, in_channels, *_p(kernel_size)))
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None
        self.s, self.p = stride, padding

    def forward(self, x):
        return torch.convolution(x, self.weight, self.bias, _p(self.s), _p(self.p), (1, 1), False, (0, 0), 1)
