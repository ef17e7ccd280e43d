# MaskedWordModel: "Tensors that are passed in may be transposed or sliced (reshape takes them, view may not)" - ids.view(-1)
# ids[:, :5] of a wider tensor, several rows: logits, here RuntimeError
import torch
from torch import nn


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size: int, embedding_dim: int, hidden_size: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        N, T = ids.shape
        words = self.embed(ids.view(-1)).view(N, T, -1)
        packed = nn.utils.rnn.pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=T)
        return self.score(states)
