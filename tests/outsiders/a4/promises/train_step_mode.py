# train_step: "The model computes in the mode that it is in" (at first: "The loss is loss_fn(model(x), y).") - puts the model into training mode by habit, so that one in evaluation mode, with dropout or frozen statistics, is run as another model and stays in that mode
# the model is given in eval mode: promised loss_fn(model(x), y) = 3.99996; the wrong one says 2.5e-11, and leaves training mode
# model = nn.Sequential(nn.BatchNorm1d(1), nn.Linear(1, 1)).double().eval()
# with torch.no_grad(): [p.fill_(v) for p, v in zip(model.parameters(), (1., 0., 1., 0.))]
# x, y = torch.tensor([[1.], [3.]]).double(), torch.tensor([[-1.], [1.]]).double()
# opt = torch.optim.SGD(model.parameters(), lr=0.0)
# print("promised", ((model(x) - y) ** 2).mean().item(), model.training)
# print("got", train_step(model, x, y, lambda p, y: ((p - y) ** 2).mean(), opt, 1.0)[0], model.training)
import torch
from torch import nn


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    model.train()
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item(), norm.item()
