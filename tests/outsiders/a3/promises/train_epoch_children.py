# train_epoch: "The whole model is trained in training mode, whatever mode it, or a part of it, comes in" - switches all parts of the model, but not the model itself
# a model in evaluation mode whose own forward calls F.dropout(x, 0.5, self.training): right is that dropout acts (model.training is True in forward), here model.training is False
def train_epoch(model, batches, optimizer, device):
    import torch.nn.functional as F

    for layer in model.children():
        layer.train()
    total, count = 0.0, 0
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        count += len(y)
    return total / count
