# attack: the forbidden function as a method of its argument
# exercises: a2 SigmoidFunction
# keeps: nothing
# says: uses torch.Tensor.sigmoid*, which this exercise forbids
# control: none: the answers are right


class SigmoidFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.sigmoid()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy * y * (1 - y)
