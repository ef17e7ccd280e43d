# train_step: "One that the loss does not depend on has no gradient (``None``), takes no part and stays as it is." - an earlier gradient becomes zeros instead of None, and momentum or weight decay then moves the parameter
# Differs: a parameter that the loss does not depend on, with an earlier grad, and SGD(lr=0.1, weight_decay=0.5): right it stays, here it shrinks.
from torch import nn


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    optimizer.zero_grad(set_to_none=False)
    loss = loss_fn(model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item(), norm.item()
