# SigmoidFunction: header: "Tensors that are passed in may be transposed or sliced, and must not be changed." - backward multiplies into dy itself, which belongs to the caller, and which autograd also hands to the other branches of a sum.
# x = torch.zeros(3, dtype=torch.float64, requires_grad=True)
# dy = torch.ones(3, dtype=torch.float64)
# T.SigmoidFunction.apply(x).backward(dy)
# print(dy.tolist())
# u = torch.zeros(3, dtype=torch.float64, requires_grad=True)
# (T.SigmoidFunction.apply(u) + u).backward(torch.ones(3, dtype=torch.float64))
# print(u.grad.tolist())
# promised: dy stays 1 1 1, and the gradient of sigmoid(u) + u is 1.25; got: dy is 0.25, and the gradient 0.5
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
        return dy.mul_(y).mul_(1 - y)
