# evaluate: [children's modes alone] remembers the modes of the model and its direct children only; what lies deeper comes back in the mode of the child that holds it
import torch
from torch.nn import functional as F


def evaluate(model, batches, device):
    root = model.training
    kept = [(child, child.training) for child in model.children()]
    model.eval()
    loss = correct = count = 0
    with torch.no_grad():
        for images, classes in batches:
            images, classes = images.to(device), classes.to(device)
            logits = model(images)
            loss += F.cross_entropy(logits, classes, reduction="sum").item()
            correct += (logits.argmax(1) == classes).sum().item()
            count += len(classes)
    model.train(root)
    for child, mode in kept:
        child.train(mode)
    return loss / count, correct / count
