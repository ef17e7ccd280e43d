# train_step: "One that several layers share is one parameter, with one gradient." - gradients are collected layer by layer
# Differs: two linear layers with one weight: its gradient counts twice in the norm and is shortened twice.
import torch
from torch import nn


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    before = loss.item()
    grads = []
    for layer in model.modules():
        for p in layer.parameters(recurse=False):
            if p.grad is not None:
                grads.append(p.grad)
    norm = float(torch.sqrt(sum((g**2).sum() for g in grads))) if grads else 0.0
    if norm > max_norm:
        for g in grads:
            g *= max_norm / norm
    optimizer.step()
    return before, norm
