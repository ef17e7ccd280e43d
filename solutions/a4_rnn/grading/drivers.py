"""How the questions of assignment 4 are put. Runs beside the student's code as plain source and holds no secret."""

import numpy as np
from driving import apart, float64_by_default, gradients, loaded, other_by_default, tensors


def numerical_gradient(student, x, dy, matrix, powers, *, view=False, total=False, **settings):
    """Differentiate a polynomial of a linear map, built here because a function cannot travel.

    With ``view`` it only transposes, with ``total`` it sums up, and returns a Python number.
    """

    def f(a):
        if view:
            return a.T
        weights = matrix.astype(a.dtype)
        y = np.tensordot(weights, a, 1) if a.ndim else weights * a
        y = sum(factor * y**power for power, factor in enumerate(powers))
        return float(y.sum()) if total else y

    return student.numerical_gradient(f, x, dy, **settings)


def train(student, params, x, target, mask, **settings):
    """The parameters, and the losses as float64: their dtype is the student's choice."""
    answer = student.train(params, x, target, mask, **settings)
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        return answer
    trained, losses = answer
    floating = isinstance(losses, np.ndarray) and losses.dtype.kind == "f"
    return trained, losses.astype(np.float64, copy=False) if floating else losses


def to_torch(student, U, V, b, x, h0):
    """Make the module and run it, in the precision of its parameters."""
    import torch

    module = student.to_torch(U, V, b)
    dtype = next(module.parameters()).dtype
    return module(torch.from_numpy(x).to(dtype), torch.from_numpy(h0)[None].to(dtype))[0]


def to_torch_default(student, U, V, b, x, h0):
    """Make the module and run it while new tensors are float64 if nothing else is said."""
    with float64_by_default():
        return to_torch(student, U, V, b, x, h0)


def to_torch_copies(student, U, V, b):
    """The module's parameters before and after the arrays change that it was made from; whether these are the same
    after the parameters have changed, and the parameters hold what each of them was filled with.
    """
    import torch

    arrays = [U.copy(), V.copy(), b.copy()]
    module = student.to_torch(*arrays)
    before = torch.nn.utils.parameters_to_vector(module.parameters()).clone()
    for array in arrays:
        array += 1
    after = torch.nn.utils.parameters_to_vector(module.parameters()).clone()
    return {
        "before": before,
        "after": after,
        "trainable": all(p.requires_grad for p in module.parameters()),
        "apart": apart(module),
        "kept": all(np.array_equal(array, given + 1) for array, given in zip(arrays, (U, V, b), strict=True)),
    }


def state_gradient_norms(student, x, h0, dy, weights, gradient, nonlinearity="tanh", watched=False):
    """Build a cell, one of whose parameters holds a gradient already, and look at both afterwards.

    Where they are ``watched``, x and h0 require gradients, and h0 holds one. New tensors have another dtype if nothing
    else is said.
    """
    import torch

    hidden, features = weights["weight_ih"].shape
    cell = torch.nn.RNNCell(features, hidden, bias="bias_ih" in weights, nonlinearity=nonlinearity)
    loaded(cell, weights)
    cell.weight_hh.grad = torch.from_numpy(gradient).clone()
    x, h0, dy = tensors(x, h0, dy)
    if watched:
        x.requires_grad_()
        h0.requires_grad_().grad = torch.ones_like(h0)
    given = {"x": x, "h0": h0, "dy": dy}
    with other_by_default(x):
        norms = student.state_gradient_norms(cell, x, h0, dy)
    left = {
        "gradients": gradients(cell) | {name: tensor.grad for name, tensor in given.items()},
        "require gradients": {n: tensor.requires_grad for n, tensor in [*given.items(), *cell.named_parameters()]},
        "shape": np.array(np.shape(norms)),
    }
    return {"norms": norms, "left": left}


def train_step(student, x, y, weights, stale, lr, max_norm, steps, groups=1, training=True, tied=False):
    """Take steps with a recurrent network whose parameters hold old gradients; report the first, and where it ends.

    On two parameters, one of which holds none, the loss does not depend; and all that takes part decays. Two others are
    transposed, and added up: autograd has one gradient for both. In evaluation mode the model's states count half.
    Where weights are ``tied``, those of the output belong to a second layer, too.
    """
    import torch

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            hidden, features = weights["rnn.weight_ih_l0"].shape
            self.rnn = torch.nn.RNN(features, hidden, batch_first=True)
            self.out = torch.nn.Linear(hidden, y.shape[1])
            self.first, self.second = (torch.nn.Parameter(torch.zeros(hidden, y.shape[1]).T) for _ in range(2))
            if tied:
                self.other = torch.nn.Linear(hidden, y.shape[1], bias=False)
                self.other.weight = self.out.weight
            self.unused, self.forgotten = torch.nn.Parameter(torch.ones(3)), torch.nn.Parameter(torch.ones(2))

        def forward(self, x):
            state = self.rnn(x)[0][:, -1] / (1 if self.training else 2)
            return self.out(state) + state @ (self.first + self.second).T

    def loss_fn(prediction, target):
        return ((1 + target**2) * (prediction - target) ** 2).sum(1).mean()

    model = loaded(Model(), weights, strict=False).train(training)
    parameters = list(model.parameters())
    for p in parameters:
        p.grad = None if p is model.unused else torch.full_like(p, stale)
    parts = [{"params": parameters[first::groups]} for first in range(groups)]
    optimizer = torch.optim.SGD(parts, lr=lr, momentum=0.9, weight_decay=0.1)
    data = tensors(x, y)
    reports = [student.train_step(model, *data, loss_fn, optimizer, max_norm) for _ in range(steps)]
    loss, norm = reports[0]
    left = {name: p.detach() for name, p in model.named_parameters()} | {"training": model.training}
    return {"loss": loss, "norm": norm, "parameters": left}
