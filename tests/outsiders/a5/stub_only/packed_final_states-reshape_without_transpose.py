# packed_final_states: [directions and batch mixed by a view] the last two final states (2, N, H) are reshaped to (N, 2H) without exchanging the first two axes, so that rows mix sequences (right for N = 1 only)
from torch.nn.utils.rnn import pack_padded_sequence


def packed_final_states(lstm, x, lengths):
    packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
    _, (h_n, _) = lstm(packed)
    top = h_n[-2:]
    return top.reshape(x.shape[0], 2 * lstm.hidden_size)
