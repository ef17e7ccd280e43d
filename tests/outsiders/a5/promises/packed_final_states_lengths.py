# packed_final_states: "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be changed." - the index of the last step is made from the caller's lengths in place
# Differs: lengths = torch.tensor([2, 4]); after the call it holds [1, 3] (a second call with it gives another answer).
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def packed_final_states(lstm, x, lengths):
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    out, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True)
    lengths -= 1  # the last step of each sequence
    H = lstm.hidden_size
    forward = out[torch.arange(len(x)), lengths, :H]
    return torch.cat([forward, out[:, 0, H:]], dim=1)
