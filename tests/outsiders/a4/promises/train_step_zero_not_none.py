# train_step: "One that the loss does not depend on has no gradient (None), takes no part and stays as it is." - old gradients are set to 0, not None, so that weight decay moves such a parameter
# SGD with weight_decay=0.5, lr=0.1, an unused parameter 1 that holds a gradient of an earlier step: right it stays 1, here it becomes 0.95
from torch import nn


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.zero_()
    loss = loss_fn(model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item(), norm.item()
