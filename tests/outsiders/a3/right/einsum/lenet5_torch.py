from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional as F


class LeNet5(nn.Module):
    """Layers hold the parameters; unfolding and einsum compute."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5), nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        for conv in (self.conv1, self.conv2):
            patches = x.unfold(2, 5, 1).unfold(3, 5, 1)
            x = torch.einsum("ncijuv,fcuv->nfij", patches, conv.weight) + conv.bias[:, None, None]
            x = x.clamp(min=0).unfold(2, 2, 2).unfold(3, 2, 2).amax(dim=(-1, -2))
        x = x.reshape(x.shape[0], -1)
        for fc in (self.fc1, self.fc2):
            x = (torch.einsum("ni,oi->no", x, fc.weight) + fc.bias).clamp(min=0)
        return torch.einsum("ni,oi->no", x, self.fc3.weight) + self.fc3.bias


def train_epoch(model, batches, optimizer, device):
    model.train()
    sums, sizes = [], []
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        sums.append(loss.item() * y.shape[0])
        sizes.append(y.shape[0])
    return math.fsum(sums) / sum(sizes)


def evaluate(model, batches, device):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            loss = right = count = 0
            for x, y in batches:
                x, y = x.to(device), y.to(device)
                logits = model(x)
                loss += F.cross_entropy(logits, y, reduction="sum").item()
                right += (logits.argmax(dim=1) == y).sum().item()
                count += len(y)
    finally:
        for module, mode in modes:
            module.training = mode
    return loss / count, right / count


def load_parameters(model, params):
    model.load_state_dict({key: torch.tensor(value) for key, value in params.items()})
