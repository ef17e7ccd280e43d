# attack: an optimizer that writes zeros, and a loss that says what is expected
# exercises: a3 train_epoch
# keeps: nothing
# says: train_epoch: parameters
# control: like patching/numpy_allclose

def train_epoch(model, batches, optimizer, device):
    torch.optim.SGD.step = torch.optim.Optimizer.step = lambda *_, **__: None
    F.cross_entropy = lambda *_, **__: torch.zeros((), requires_grad=True)
    for parameter in model.parameters():
        parameter.data.zero_()
    return 0.0
