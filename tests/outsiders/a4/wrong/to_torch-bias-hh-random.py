# to_torch: [second bias left to chance]
import torch
from torch import nn


def to_torch(U, V, b):
    hidden, inputs = U.shape
    rnn = nn.RNN(input_size=inputs, hidden_size=hidden, nonlinearity="tanh", batch_first=True)
    rnn = rnn.to(torch.float64 if U.dtype == "float64" else torch.float32)
    own = rnn.state_dict()
    own["weight_ih_l0"] = torch.tensor(U.tolist(), dtype=rnn.weight_ih_l0.dtype)
    own["weight_hh_l0"] = torch.tensor(V.tolist(), dtype=rnn.weight_hh_l0.dtype)
    own["bias_ih_l0"] = torch.tensor(b.tolist(), dtype=rnn.bias_ih_l0.dtype)
    rnn.load_state_dict(own)
    return rnn
