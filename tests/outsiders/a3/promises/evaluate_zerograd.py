# evaluate: "leave no trace in it" - clears the gradients of the model at the end, also those that were there before
# a model with weight.grad = ones (evaluated between backward and step): right is that weight.grad is still ones, here it is None
def evaluate(model, batches, device):
    import torch.nn.functional as F

    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss, right, count = 0.0, 0, 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            loss += F.cross_entropy(logits, y, reduction="sum").item()
            right += int((logits.argmax(1) == y).sum())
            count += len(y)
    model.zero_grad()  # whatever the evaluation may have left
    for module, mode in modes:
        module.training = mode
    return loss / count, right / count
