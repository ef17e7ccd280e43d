# RecallModel: "So in evaluation mode a list's logits do not depend on the other lists of the batch" - one's own softmax subtracts the largest score of the whole batch: a list whose best score lies 104 or more below that of another list gets 0/0 = NaN, alone it does not.
import torch
from torch import nn


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys = nn.Embedding(num_keys, dim)
        self.values = nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        scores = (self.keys(keys) @ self.keys(query)[:, :, None])[:, :, 0]
        powers = torch.exp(scores - scores.max())
        weights = powers / powers.sum(dim=1, keepdim=True)
        return self.read((weights[:, None] @ self.values(values))[:, 0])
