# state_gradient_norms: "The cell computes h_t = cell(x_t, h_{t-1}) for t = 1, ..., T" - goes back by hand with the slope of tanh, while the cell may have nonlinearity="relu"
# Differs: nn.RNNCell(2, 3, nonlinearity="relu", dtype=torch.float64) on ones, T = 3.
import torch


def state_gradient_norms(cell, x, h0, dy):
    with torch.no_grad():
        h, states = h0, []
        for t in range(x.shape[1]):
            h = cell(x[:, t], h)
            states.append(h)
        g, norms = dy, [dy.norm()]
        for h in reversed(states[1:]):
            g = (g * (1 - h**2)) @ cell.weight_hh
            norms.insert(0, g.norm())
    return torch.stack(norms)
