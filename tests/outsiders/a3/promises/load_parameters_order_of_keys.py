# load_parameters: "arrays by name, contiguous, shaped like what they go into" - takes them in the order of the dictionary, not by name
# Differs: nn.Linear(2, 2) twice in a Sequential, params with the keys in reversed order: raises or mixes them up.
import torch


def load_parameters(model, params):
    for tensor, array in zip(model.state_dict().values(), params.values()):
        tensor.copy_(torch.from_numpy(array))
