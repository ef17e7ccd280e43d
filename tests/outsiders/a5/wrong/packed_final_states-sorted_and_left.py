# packed_final_states: [sorted and left so]
import torch
from torch.nn.utils.rnn import pack_padded_sequence


def packed_final_states(lstm, x, lengths):
    falling, order = torch.sort(lengths.cpu(), descending=True, stable=True)
    packed = pack_padded_sequence(x[order.to(x.device)], falling, batch_first=True)
    final = lstm(packed)[1][0]
    forward, backward = final[-2], final[-1]
    return torch.hstack([forward, backward])
