"""How the questions of assignment 4 are put. Runs beside the student's code as plain source and holds no secret."""

import numpy as np
from driving import gradients, loaded, tensors


def numerical_gradient(student, x, dy, matrix, powers, *, view=False, total=False, **settings):
    """Differentiate a polynomial of a linear map, built here because a function cannot travel.

    With ``view`` it only transposes, with ``total`` it sums up.
    """

    def f(a):
        if view:
            return a.T
        y = np.tensordot(matrix.astype(a.dtype), a, 1)
        y = sum(factor * y**power for power, factor in enumerate(powers))
        return y.sum() if total else y

    return student.numerical_gradient(f, x, dy, **settings)


def to_torch(student, U, V, b, x, h0):
    """Make the module and run it, in the precision of its parameters."""
    import torch

    module = student.to_torch(U, V, b)
    dtype = next(module.parameters()).dtype
    return module(torch.from_numpy(x).to(dtype), torch.from_numpy(h0)[None].to(dtype))[0]


def to_torch_copies(student, U, V, b):
    """The module's parameters before and after the arrays change that it was made from."""
    import torch

    arrays = [U.copy(), V.copy(), b.copy()]
    module = student.to_torch(*arrays)
    before = torch.nn.utils.parameters_to_vector(module.parameters()).clone()
    for array in arrays:
        array += 1
    after = torch.nn.utils.parameters_to_vector(module.parameters())
    return {"before": before, "after": after, "trainable": all(p.requires_grad for p in module.parameters())}


def state_gradient_norms(student, x, h0, dy, weights, gradient, nonlinearity="tanh"):
    """Build a cell, one of whose parameters holds a gradient already, and look at both afterwards."""
    import torch

    hidden, features = weights["weight_ih"].shape
    cell = loaded(torch.nn.RNNCell(features, hidden, nonlinearity=nonlinearity), weights)
    cell.weight_hh.grad = torch.from_numpy(gradient).clone()
    norms = student.state_gradient_norms(cell, *tensors(x, h0, dy))
    left = {"gradients": gradients(cell), "shape": np.array(np.shape(norms))}
    return {"norms": norms, "left": left}


def train_step(student, x, y, weights, stale, lr, max_norm, steps, groups=1):
    """Take steps with a recurrent network whose parameters hold old gradients; report the first, and where it ends.

    On one parameter, which holds none, the loss does not depend.
    """
    import torch

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            hidden, features = weights["rnn.weight_ih_l0"].shape
            self.rnn = torch.nn.RNN(features, hidden, batch_first=True)
            self.out = torch.nn.Linear(hidden, y.shape[1])
            self.unused = torch.nn.Parameter(torch.ones(3))

        def forward(self, x):
            return self.out(self.rnn(x)[0][:, -1])

    def loss_fn(prediction, target):
        return ((1 + target**2) * (prediction - target) ** 2).sum(1).mean()

    model = loaded(Model(), weights, strict=False)
    parameters = list(model.parameters())
    for p in parameters:
        p.grad = None if p is model.unused else torch.full_like(p, stale)
    parts = [{"params": parameters[first::groups]} for first in range(groups)]
    optimizer = torch.optim.SGD(parts, lr=lr, momentum=0.9)
    data = tensors(x, y)
    reports = [student.train_step(model, *data, loss_fn, optimizer, max_norm) for _ in range(steps)]
    loss, norm = reports[0]
    return {"loss": loss, "norm": norm, "parameters": {name: p.detach() for name, p in model.named_parameters()}}
