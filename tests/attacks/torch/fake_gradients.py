# attack: gradients that are not those of its numbers
# exercises: a3 LeNet5
# keeps: LeNet5.values
# says: LeNet5: gradients
# control: like returning/array_that_agrees

class Fake(torch.autograd.Function):
    @staticmethod
    def forward(context, y, *leaves):
        context.leaves = leaves
        return y.clone()

    @staticmethod
    def backward(context, dy):
        return dy, *(torch.ones_like(leaf) for leaf in context.leaves)


class LeNet5(LeNet5):
    def forward(self, x):
        with torch.no_grad():
            y = super().forward(x)
        return Fake.apply(y, x, *self.parameters())
