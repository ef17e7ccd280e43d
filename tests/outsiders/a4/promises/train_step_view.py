# train_step: "Its gradient, that of all parameters of the model together, is clipped to the norm max_norm" (and the header's "reshape takes them, view may not") - the gradients are flattened by view(-1), which refuses those of parameters that are not contiguous, as in a model in channels_last or with a transposed parameter.
import torch


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.cat([g.view(-1) for g in grads]).norm()
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    before = loss.item()
    optimizer.step()
    return before, norm.item()
