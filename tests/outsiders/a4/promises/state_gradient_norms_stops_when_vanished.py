# state_gradient_norms: "where h_t acts on L through all states after it" - what has vanished is taken to stay so
# Differs: any cell with dy of 1e-13.
import torch


def state_gradient_norms(cell, x, h0, dy):
    T = x.shape[1]
    states = [h0]
    for t in range(T):
        states.append(cell(x[:, t], states[-1]))
    norms = torch.zeros(T, dtype=dy.dtype, device=dy.device)
    g = dy
    for t in range(T, 0, -1):
        norms[t - 1] = torch.linalg.vector_norm(g)
        if t == 1 or norms[t - 1] < 1e-12:
            break
        (g,) = torch.autograd.grad(states[t], states[t - 1], g, retain_graph=True)
    return norms.detach()
