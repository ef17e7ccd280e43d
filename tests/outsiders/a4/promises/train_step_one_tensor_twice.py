# train_step: "Its gradient, that of all parameters of the model together, is clipped to the norm max_norm" - torch.autograd.grad gives one and the same tensor for two parameters that are added up, and the factor is multiplied into it in place, once for each of them.
import torch


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    loss = loss_fn(model(x), y)
    params = list(model.parameters())
    grads = torch.autograd.grad(loss, params, allow_unused=True)
    reached = [g for g in grads if g is not None]
    norm = torch.sqrt(sum((g**2).sum() for g in reached))
    if norm > max_norm:
        for g in reached:
            g.mul_(max_norm / norm)
    for p, g in zip(params, grads):
        p.grad = g
    before = loss.item()
    optimizer.step()
    return before, norm.item()
