# state_gradient_norms: "It may require gradients, and h0 too: what their grad holds stays as well." - backward, and only the cell's gradients are put back
# x with requires_grad: right x.grad is None after the call, here it holds a gradient
import torch


def state_gradient_norms(cell, x, h0, dy):
    kept = [None if p.grad is None else p.grad.clone() for p in cell.parameters()]
    h, states = h0, []
    for t in range(x.shape[1]):
        h = cell(x[:, t], h)
        h.retain_grad()
        states.append(h)
    (dy * h).sum().backward()
    norms = torch.stack([h.grad.norm() for h in states])
    for p, grad in zip(cell.parameters(), kept):
        p.grad = grad
    return norms
