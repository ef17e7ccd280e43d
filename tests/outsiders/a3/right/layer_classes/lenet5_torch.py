import numpy as np
import torch
from torch import nn


class Squash(nn.Module):
    """ReLU and pooling: they always come together behind a convolution."""

    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)

    def forward(self, z):
        return self.pool(z.clamp(min=0))


class LeNet5(nn.Module):
    PLAN = {"conv1": (1, 6), "conv2": (6, 16), "fc1": (400, 120), "fc2": (120, 84), "fc3": (84, 10)}

    def __init__(self):
        super().__init__()
        for name, (a, b) in self.PLAN.items():
            self.add_module(name, nn.Conv2d(a, b, 5) if name.startswith("conv") else nn.Linear(a, b))
        self.squash = Squash()
        with torch.no_grad():
            for p in self.parameters():
                if p.ndim > 1:
                    nn.init.kaiming_normal_(p, nonlinearity="relu")
                else:
                    p.zero_()

    def forward(self, x):
        a = self.squash(self.conv2(self.squash(self.conv1(x))))
        a = a.reshape(a.shape[0], 400)
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(a)))))


class Mean:
    def __init__(self):
        self.total, self.weight = 0.0, 0

    def add(self, value, weight):
        self.total += float(value) * weight
        self.weight += weight

    def __float__(self):
        return self.total / self.weight


def train_epoch(model, batches, optimizer, device):
    criterion, mean = nn.CrossEntropyLoss(), Mean()
    model.train(True)
    for pair in batches:
        x, y = (t.to(device, non_blocking=True) for t in pair)
        model.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        mean.add(loss.detach(), x.size(0))
    return float(mean)


def evaluate(model, batches, device):
    modes = [m.training for m in model.modules()]
    loss, accuracy = Mean(), Mean()
    model.eval()
    for x, y in batches:
        with torch.no_grad():
            x, y = x.to(device), y.to(device)
            logits = model(x)
            loss.add(nn.functional.cross_entropy(logits, y), len(y))
            accuracy.add((logits.argmax(-1) == y).double().mean(), len(y))
    for m, mode in zip(model.modules(), modes):
        m.training = mode
    return float(loss), float(accuracy)


def load_parameters(model, params):
    with torch.no_grad():
        for key, target in model.state_dict().items():
            if key in params:
                source = np.array(params[key], dtype=np.float64, order="C")
                target.copy_(torch.from_numpy(source))
