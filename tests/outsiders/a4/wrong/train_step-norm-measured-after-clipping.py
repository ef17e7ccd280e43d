# train_step: [norm of what is left]
import torch
from torch import nn


def _train_step_norm(parameters):
    return torch.sqrt(sum(p.grad.pow(2).sum() for p in parameters if p.grad is not None))


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    model.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    norm = _train_step_norm(model.parameters())
    optimizer.step()
    return loss.item(), norm.item()
