# state_gradient_norms: [sequences' norms added up] the norm is taken for each sequence by itself and these norms are added up, instead of one root over all N * H entries
import torch


def state_gradient_norms(cell, x, h0, dy):
    state, trace = h0, []
    for x_t in x.unbind(dim=1):
        state = cell(x_t, state)
        trace.append(state)
    grads = torch.autograd.grad(outputs=state, inputs=trace, grad_outputs=dy)
    per_sequence = torch.stack(grads).pow(2).sum(dim=-1).sqrt()  # (T, N)
    return per_sequence.sum(dim=-1)
