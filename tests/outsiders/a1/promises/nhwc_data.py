# nhwc_to_nchw: "Autograd computes the gradients, so write every step with differentiable tensor operations." - (header) the view is taken of x.data, which autograd does not follow
# x = torch.ones(1, 2, 2, 3, requires_grad=True): right nhwc_to_nchw(x).requires_grad is True; here False
import torch


def nhwc_to_nchw(x):
    return x.data.permute(0, 3, 1, 2)
