# SigmoidFunction: "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be changed." - (header) backward multiplies dy in place
# x = torch.zeros(2, requires_grad=True), dy = torch.ones(2), SigmoidFunction.apply(x).backward(dy): right dy is still 1; here 0.25
import torch


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        dy *= y * (1 - y)
        return dy
