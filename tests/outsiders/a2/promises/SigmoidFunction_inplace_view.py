# SigmoidFunction: "Tensors that are passed in may be transposed or sliced (reshape takes them, view may not), and must not be changed." - backward multiplies dy in place (contiguous() is a copy only of what is not contiguous), so the gradients of everything else that got the same dy are spoilt.
from __future__ import annotations

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
        dx = dy.contiguous()
        dx *= y * (1 - y)
        return dx
