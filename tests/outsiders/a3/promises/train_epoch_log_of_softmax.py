# train_epoch: [logarithm of a rounded probability in training] writes the cross-entropy out as -log(softmax(logits)[right class])
import torch


def train_epoch(model, batches, optimizer, device):
    model.train()
    total, n = 0.0, 0
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        p = torch.softmax(model(x), dim=1)
        loss = -torch.log(p[torch.arange(len(y), device=device), y]).mean()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        n += len(y)
    return total / n
