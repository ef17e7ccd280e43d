# RecallModel: "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be changed." - the ids are flattened with view
# Differs: keys = a tensor of shape (S, N) transposed to (N, S): right logits, here RuntimeError.
import torch
from torch import nn


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys, self.values = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        N, S = keys.shape
        k = self.keys(keys.view(-1)).view(N, S, -1)
        v = self.values(values.view(-1)).view(N, S, -1)
        weights = torch.softmax(torch.einsum("nsd,nd->ns", k, self.keys(query)), dim=1)
        return self.read(torch.einsum("ns,nsd->nd", weights, v))
