# load_parameters: "its state dictionary, of parameters and buffers, has exactly the keys of params." - asks for every buffer, also for one that is not in the state dictionary
# Differs (raises): a module with register_buffer("mask", ..., persistent=False), whose state_dict() has no "mask".
import torch


def load_parameters(model, params):
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(params[name]))
        for name, buffer in model.named_buffers():
            buffer.copy_(torch.from_numpy(params[name]))
