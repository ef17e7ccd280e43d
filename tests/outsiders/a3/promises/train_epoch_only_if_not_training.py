# train_epoch: "The whole model is trained in training mode, whatever mode it, or a part of it, comes in." - only the mode of the model itself is looked at
# Differs: a model in training mode whose dropout layer alone is in evaluation mode: it stays there.
import torch.nn.functional as F


def train_epoch(model, batches, optimizer, device):
    if not model.training:
        model.train()
    total = count = 0
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        count += len(y)
    return total / count
