# SigmoidFunction: [stored on the class]
import torch


class SigmoidFunction(torch.autograd.Function):
    y = None

    @staticmethod
    def forward(ctx, x):
        small = torch.exp(-x.abs())
        SigmoidFunction.y = torch.where(x < 0, small, torch.ones_like(small)) / (1 + small)
        return SigmoidFunction.y.clone()

    @staticmethod
    def backward(ctx, dy):
        y = SigmoidFunction.y
        return dy * y * (1 - y)
