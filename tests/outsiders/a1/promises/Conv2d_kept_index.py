# Conv2d: "forward: Args: x: images, shape (N, C, H, W). Returns: y, shape (N, F, Ho, Wo), with Ho = floor((H + 2 * ph - kh) / sh) + 1 and Wo likewise." - the index of the windows is kept from call to call and renewed only if the number of pixels changes; a second batch of as many pixels in another format (6 x 4 after 4 x 6) gets the windows of the first.
# layer = Conv2d(1, 1, 3)
# layer(torch.randn(1, 1, 4, 6))
# got = layer(torch.randn(1, 1, 6, 4)).shape
# print(got)  # promised (1, 1, 4, 2), comes out (1, 1, 2, 4), with windows across the ends of rows
import torch
import torch.nn.functional as F
from torch import nn


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()

        def pair(value):
            return (value, value) if isinstance(value, int) else tuple(value)

        self.kernel_size, self.stride, self.padding = pair(kernel_size), pair(stride), pair(padding)
        bound = (in_channels * self.kernel_size[0] * self.kernel_size[1]) ** -0.5
        self.weight = nn.Parameter(bound * torch.randn(out_channels, in_channels, *self.kernel_size))
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None
        self._index = None

    def _make_index(self, height, width, device):
        """Where the windows of a padded image lie in the flattened image, shape (kh * kw, L)."""
        (kh, kw), (sh, sw) = self.kernel_size, self.stride
        self._size = (height - kh) // sh + 1, (width - kw) // sw + 1
        places = torch.arange(height * width, device=device).reshape(height, width)
        windows = places.unfold(0, kh, sh).unfold(1, kw, sw)  # Ho, Wo, kh, kw
        self._index = windows.permute(2, 3, 0, 1).reshape(kh * kw, -1)
        self._pixels = height * width

    def forward(self, x):
        ph, pw = self.padding
        xp = F.pad(x, (pw, pw, ph, ph))
        flat = xp.flatten(2)
        if self._index is None or self._pixels != flat.shape[2] or self._index.device != x.device:
            self._make_index(*xp.shape[2:], x.device)
        cols = flat[:, :, self._index].flatten(1, 2)
        y = self.weight.flatten(1) @ cols
        if self.bias is not None:
            y = y + self.bias[:, None]
        return y.reshape(len(x), -1, *self._size)
