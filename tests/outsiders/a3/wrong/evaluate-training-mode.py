# evaluate: [evaluated in training mode]
import torch


@torch.no_grad()  # evaluation mode
def evaluate(model, batches, device):
    criterion = torch.nn.CrossEntropyLoss(reduction="sum")
    loss, correct, count = 0.0, 0, 0
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        logits = model(x)
        loss += criterion(logits, y).item()
        correct += (logits.argmax(dim=1) == y).sum().item()
        count += y.size(0)
    return loss / count, correct / count
