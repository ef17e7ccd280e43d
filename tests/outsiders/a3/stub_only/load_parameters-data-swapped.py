# load_parameters: [dtype of the arrays taken over] puts a fresh tensor behind each parameter (p.data = ...), so that the object stays but takes on the dtype (and device) of the array
import torch


def load_parameters(model, params):
    for name, parameter in model.named_parameters():
        parameter.data = torch.tensor(params[name].copy())
