# state_gradient_norms: "The cell computes h_t = cell(x_t, h_{t-1})" and "cell: the step, an nn.RNNCell." - the way back is written out with the slope of tanh, but a cell may be nn.RNNCell(D, H, nonlinearity="relu")
# a relu cell whose states are positive: right slopes 1, here 1 - h^2
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
            norms.append(g.norm())
        return torch.stack(norms[::-1])
