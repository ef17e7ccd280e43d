# train_epoch: [step before the gradient]
import torch.nn.functional as _train_epoch_F


def train_epoch(model, batches, optimizer, device):
    model.train()
    total, samples = 0.0, 0
    for images, classes in batches:
        images, classes = images.to(device), classes.to(device)
        optimizer.step()
        optimizer.zero_grad()
        loss = _train_epoch_F.cross_entropy(model(images), classes)
        loss.backward()
        total += loss.item() * len(classes)
        samples += len(classes)
    return total / samples
