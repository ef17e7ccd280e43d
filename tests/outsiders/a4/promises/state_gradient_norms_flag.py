# state_gradient_norms: "Tensors that are passed in ... must not be changed." (header of rnn_torch.py)" - asks autograd to record by h0.requires_grad_(), which works in place: a caller's h0 that required no gradient requires one after the call.
# h0 must be as before; the wrong one leaves True, and h0.numpy() raises a RuntimeError
# cell = nn.RNNCell(1, 2)
# h0 = torch.zeros(1, 2)
# h0.numpy()
# state_gradient_norms(cell, torch.zeros(1, 3, 1), h0, torch.ones(1, 2))
# print("promised False, got", h0.requires_grad)
# try: print("numpy works", h0.numpy())
# except RuntimeError as error: print("RuntimeError", error)
import torch
from torch import Tensor, nn


def state_gradient_norms(cell, x, h0, dy):
    h, states = h0.requires_grad_(), []
    for t in range(x.shape[1]):
        h = cell(x[:, t], h)
        states.append(h)
    grads = torch.autograd.grad((states[-1] * dy).sum(), states)
    return torch.stack([g.norm() for g in grads])
