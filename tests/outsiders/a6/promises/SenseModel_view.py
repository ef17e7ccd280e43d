# SenseModel: header "Tensors that are passed in may be transposed or sliced (reshape takes them, view may not)" - view(-1) on the word numbers
# ids = torch.zeros(5, 3, dtype=torch.int64).T (N = 3, T = 5): vectors of shape (3, 5, dim) are right, here comes RuntimeError
import torch
from torch import nn


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        self.attention = MultiHeadAttention(dim, 2)

    def encode(self, ids):
        N, T = ids.shape
        words = self.embedding.weight.index_select(0, ids.view(-1)).view(N, T, -1)
        return words + self.attention(words)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T
