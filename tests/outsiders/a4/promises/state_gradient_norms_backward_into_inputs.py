# state_gradient_norms: header "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be changed." - backward() also fills the grad of x or h0 where these require one
# Differs: h0 with requires_grad=True: afterwards right h0.grad is None, here it is a tensor.
import torch


def state_gradient_norms(cell, x, h0, dy):
    kept = [(p, p.grad) for p in cell.parameters()]
    for p, _ in kept:
        p.grad = None
    h, states = h0, []
    for t in range(x.shape[1]):
        h = cell(x[:, t], h)
        h.retain_grad()
        states.append(h)
    (dy * h).sum().backward()
    for p, grad in kept:
        p.grad = grad
    return torch.stack([h.grad.norm() for h in states])
