# load_parameters: [counters in the precision of the parameters] all arrays become tensors in the dtype of the first parameter
import torch


def load_parameters(model, params):
    first = next(model.parameters())
    state = {name: torch.tensor(array, dtype=first.dtype, device=first.device) for name, array in params.items()}
    model.load_state_dict(state)
