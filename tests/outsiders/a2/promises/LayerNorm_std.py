# LayerNorm: "Gradients reach the input, the weight and the bias." - the deviation is computed first and squared again under the root with eps; the slope of the inner root at 0 is infinite, so that the gradient of a sample whose features are all equal (padding, say) is infinity times 0 = NaN.
# layer = T.LayerNorm(3).double()
# x = torch.tensor([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0]], dtype=torch.float64, requires_grad=True)
# layer(x).backward(torch.tensor([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], dtype=torch.float64))
# print(x.grad[1].tolist())
# promised: (2/3, -1/3, -1/3) / sqrt(1e-5) = 210.8, -105.4, -105.4; got: nan nan nan
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.dims = tuple(range(-len(normalized_shape), 0))
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        centred = x - x.mean(dim=self.dims, keepdim=True)
        std = torch.sqrt((centred**2).mean(dim=self.dims, keepdim=True))
        return self.weight * centred / torch.sqrt(std**2 + self.eps) + self.bias
