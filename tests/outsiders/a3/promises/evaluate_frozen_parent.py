# evaluate: "some may be in training mode and some, frozen for instance, in evaluation mode" - a module in evaluation mode takes all its children with it when it is frozen again
# Differs: model = nn.Sequential(nn.Sequential(nn.Dropout(), ...)), the inner Sequential alone in evaluation mode: afterwards its Dropout is so, too.
import torch
import torch.nn.functional as F


def evaluate(model, batches, device):
    frozen = [module for module in model.modules() if not module.training]
    model.eval()
    loss = right = count = 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            z = model(x)
            loss += F.cross_entropy(z, y, reduction="sum").item()
            right += (z.argmax(dim=1) == y).sum().item()
            count += len(y)
    model.train()
    for module in frozen:
        module.eval()
    return loss / count, right / count
