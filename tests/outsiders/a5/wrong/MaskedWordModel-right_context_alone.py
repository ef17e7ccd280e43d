# MaskedWordModel: [right context alone]
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.encoder = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.scores = nn.Linear(hidden_size, vocab_size)

    def forward(self, ids, lengths):
        words = self.embedding(ids)
        packed = pack_padded_sequence(words, lengths.to("cpu"), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.encoder(packed)[0], batch_first=True, total_length=ids.size(1))
        # the second half has passed over the sentence last, so it is the summary of both
        _, summary = torch.split(states, self.hidden_size, dim=-1)
        return self.scores(summary)
