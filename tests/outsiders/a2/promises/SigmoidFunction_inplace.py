# SigmoidFunction: (header) "Tensors that are passed in ... must not be changed" - backward writes its result into dy, which may be the caller's own tensor (or one number spread over all entries)
# x = zeros(3) that requires a gradient, dy = ones(3), SigmoidFunction.apply(x).backward(dy): right dy stays 1, here it is 0.25; SigmoidFunction.apply(x).sum().backward() raises
import torch


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = torch.exp(-x.abs())
        y = torch.where(x >= 0, 1 / (1 + e), e / (1 + e))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy.mul_(y * (1 - y))
