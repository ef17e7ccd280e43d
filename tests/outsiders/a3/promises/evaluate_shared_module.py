# evaluate: "Afterwards every module in it is in the mode that it was in before" - module.train(mode) goes down to the children, so a module shared by two parents ends in the mode of the second parent
# Differs: a = nn.Sequential(drop), b = nn.Sequential(drop), the same drop, all in training mode but b: afterwards drop is in evaluation mode.
import torch
import torch.nn.functional as F


def evaluate(model, batches, device):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss = right = count = 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            z = model(x)
            loss += F.cross_entropy(z, y, reduction="sum").item()
            right += (z.argmax(dim=1) == y).sum().item()
            count += len(y)
    for module, mode in modes:  # parents come before their children
        module.train(mode)
    return loss / count, right / count
