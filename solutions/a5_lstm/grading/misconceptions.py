"""Mistakes that students make in assignment 5, each a patch of the reference and a teacher's sentence."""

from __future__ import annotations

from autograder.course import Misconception

MISCONCEPTIONS = (
    # LSTM, one step
    Misconception(
        "gates in PyTorch's order",
        "lstm_step_forward",
        "Libraries store the four blocks in different orders. Yours fits one of them, but not this assignment.",
        "f, i, g, o = np.split(",
        "i, f, g, o = np.split(",
    ),
    Misconception(
        "one block for every gate",
        "lstm_step_forward",
        "All four gates say the same, because they read the same rows of the weights. Each has rows of its own.",
        "f, i, g, o = np.split(np.concatenate([h, x], axis=1) @ W.T + b, 4, axis=1)",
        "f = i = g = o = np.split(np.concatenate([h, x], axis=1) @ W.T + b, 4, axis=1)[0]",
    ),
    Misconception(
        "output gate's bias copied",
        "lstm_step_forward",
        "Two gates share a bias, a leftover of copying a line. With biases of zero nobody would have noticed.",
        "@ W.T + b,",
        "@ W.T + np.concatenate([b[-h.shape[1] :], b[h.shape[1] :]]),",
    ),
    Misconception(
        "input before state",
        "lstm_step_forward",
        "State and input stand in the other order here than in the columns of the weights, and the shapes do not tell.",
        "np.split(np.concatenate([h, x], axis=1)",
        "np.split(np.concatenate([x, h], axis=1)",
    ),
    Misconception(
        "cell state shown as it is",
        "lstm_step_forward",
        "Your hidden state can grow beyond one. Something is missing between the cell and its output gate.",
        "o * np.tanh(c_next)",
        "o * c_next",
    ),
    Misconception(
        "output of the old cell",
        "lstm_step_forward",
        "The hidden state shows the memory as it was before this step. What has just been read is not yet in it.",
        "o * np.tanh(c_next)",
        "o * np.tanh(c)",
    ),
    Misconception(
        "input gate as a summand",
        "lstm_step_forward",
        "A gate lets through a share of what stands behind it. Yours adds itself, so the cell grows without any input.",
        "i * g + f * c",
        "i + g + f * c",
    ),
    Misconception(
        "candidate through a sigmoid",
        "lstm_step_forward",
        "Your candidates are never negative, so the memory can only be counted up. One of the four is no gate.",
        "np.tanh(g)",
        "_sigmoid(g)",
    ),
    Misconception(
        "gates before their activation",
        "lstm_step_forward",
        "The states are right, but the gates that you return are still raw sums. The way back needs what they became.",
        """    f, i, g, o = _sigmoid(f), _sigmoid(i), np.tanh(g), _sigmoid(o)
    c_next = i * g + f * c
    h_next = o * np.tanh(c_next)
    return h_next, c_next, np.concatenate([f, i, g, o], axis=1)
""",
        """    gates = np.concatenate([f, i, g, o], axis=1)
    f, i, g, o = _sigmoid(f), _sigmoid(i), np.tanh(g), _sigmoid(o)
    c_next = i * g + f * c
    h_next = o * np.tanh(c_next)
    return h_next, c_next, gates
""",
    ),
    Misconception(
        "cell without its past",
        "lstm_step_forward",
        "The new cell holds what has just been read and nothing else. The forget gate says how much of the old stays.",
        "c_next = i * g + f * c",
        "c_next = i * g + 0 * f * c",
        carried=False,
    ),
    Misconception(
        "input gate from the forget gate",
        "lstm_step_forward",
        "Here a cell writes as much as it forgets. That is another variant; this one has two gates for it.",
        "c_next = i * g + f * c",
        "c_next = (1 - f) * g + f * c",
    ),
    Misconception(
        "output gate on the cell",
        "lstm_step_forward",
        "The output gate has already taken its share of the cell before the tanh. It comes after it.",
        "o * np.tanh(c_next)",
        "np.tanh(o * c_next)",
    ),
    Misconception(
        "exponent bounded for double precision alone",
        "lstm_step_forward",
        "You bound the exponent so that no exponential overflows. In float32 they overflow much earlier.",
        """    f, i, g, o = _sigmoid(f), _sigmoid(i), np.tanh(g), _sigmoid(o)
""",
        """    grown = [np.exp(np.clip(a, -500, 500)) for a in (f, i, o)]
    f, i, o = (e / (1 + e) for e in grown)
    g = np.tanh(g)
""",
    ),
    Misconception(
        "exponent bounded too tightly",
        "lstm_step_forward",
        "You bound the exponent so tightly that no gate ever closes. A large cell still comes through.",
        """    f, i, g, o = _sigmoid(f), _sigmoid(i), np.tanh(g), _sigmoid(o)
""",
        """    f, i, o = (1 / (1 + np.exp(-np.clip(a, -30, 30))) for a in (f, i, o))
    g = np.tanh(g)
""",
    ),
    Misconception(
        "input gate's bias for the output gate",
        "lstm_step_forward",
        "The output gate adds the bias of another gate, a leftover of copying a line.",
        "@ W.T + b,",
        "@ W.T + b[np.r_[: 3 * h.shape[1], h.shape[1] : 2 * h.shape[1]]],",
    ),
    # LSTM, one step back
    Misconception(
        "sigmoid taken twice",
        "lstm_step_backward",
        "The forget gate that you are given has been through its sigmoid already. Its slope follows from its value.",
        "df * f * (1 - f)",
        "df * _sigmoid(f) * (1 - _sigmoid(f))",
    ),
    Misconception(
        "slope of a sigmoid for the candidate",
        "lstm_step_backward",
        "Four blocks, but not four sigmoids. One of the slopes belongs to another function.",
        "dg * (1 - g**2)",
        "dg * g * (1 - g)",
    ),
    Misconception(
        "hidden state no function of the cell",
        "lstm_step_backward",
        "What arrives at the hidden state also has something to say about the cell behind it. That path is missing.",
        "dc_next = dc_next + dh_next * o * (1 - squashed**2)",
        "dc_next = dc_next.copy()",
    ),
    Misconception(
        "slope at the output forgotten",
        "lstm_step_backward",
        "Between cell and hidden state lies a function, and on the way back its slope counts. Large cells show it.",
        "dh_next * o * (1 - squashed**2)",
        "dh_next * o",
    ),
    Misconception(
        "old cell gets only what was there",
        "lstm_step_backward",
        "The old cell receives the gradient from later steps but not the part that this step's output added to it.",
        """    dc_next = dc_next + dh_next * o * (1 - squashed**2)
    df, di, dg, dc = dc_next * c, dc_next * g, dc_next * i, dc_next * f
""",
        """    whole = dc_next + dh_next * o * (1 - squashed**2)
    df, di, dg, dc = whole * c, whole * g, whole * i, dc_next * f
""",
    ),
    Misconception(
        "state and input exchanged on the way back",
        "lstm_step_backward",
        "Which columns of the weights met the state, and which the input? Going back they have changed places.",
        "dh, dx = np.split(da @ W, [h.shape[1]], axis=1)",
        "dx, dh = np.split(da @ W, [x.shape[1]], axis=1)",
    ),
    Misconception(
        "gradient of the whole concatenation",
        "lstm_step_backward",
        "The gradient of the input has too many columns: state and input were glued together, and have to be parted.",
        "    dh, dx = np.split(da @ W, [h.shape[1]], axis=1)",
        "    dx = da @ W\n    dh = dx[:, : h.shape[1]]",
    ),
    Misconception(
        "state passed straight on",
        "lstm_step_backward",
        "The gradient of the new hidden state was handed to the old one directly. Only the cell has such a road.",
        "    return dx, dh, dc,",
        "    dh = dh + dh_next\n    return dx, dh, dc,",
    ),
    Misconception(
        "weights in the other order",
        "lstm_step_backward",
        "The gradient of the weights has its columns in another order than the weights.",
        "np.concatenate([h, x], axis=1), da.sum",
        "np.concatenate([x, h], axis=1), da.sum",
    ),
    Misconception(
        "mean over the batch for the biases",
        "lstm_step_backward",
        "A bias takes part in every row of the batch. If the loss averages, it has already done so.",
        "da.sum(axis=0)",
        "da.mean(axis=0)",
    ),
    Misconception(
        "weights of the last row alone",
        "lstm_step_backward",
        "Each row of the batch overwrites what the one before said about the weights. They serve all rows.",
        "da.T @ np.concatenate([h, x], axis=1)",
        "da[-1:].T @ np.concatenate([h, x], axis=1)[-1:]",
    ),
    Misconception(
        "new cell for the old one",
        "lstm_step_backward",
        "The forget gate met the cell as it was before the step. You take the one after it.",
        "df, di, dg, dc = dc_next * c,",
        "df, di, dg, dc = dc_next * c_next,",
    ),
    Misconception(
        "candidate and input gate exchanged on the way back",
        "lstm_step_backward",
        "What multiplies a factor on the way there multiplies the other one's gradient on the way back.",
        "dc_next * c, dc_next * g, dc_next * i, dc_next * f",
        "dc_next * c, dc_next * i, dc_next * g, dc_next * f",
    ),
    Misconception(
        "gates in PyTorch's order on the way back",
        "lstm_step_backward",
        "The blocks of your gradients lie in another order than the gates that you were given.",
        "f, i, g, o = np.split(gates, 4, axis=1)",
        "i, f, g, o = np.split(gates, 4, axis=1)",
    ),
    Misconception(
        "what was written from a difference of cells",
        "lstm_step_backward",
        "You take what the step wrote for a difference of two cells. If these are large, its digits are gone.",
        """    df, di, dg, dc = dc_next * c, dc_next * g, dc_next * i, dc_next * f
    da = np.concatenate([df * f * (1 - f), di * i * (1 - i),""",
        """    df, dg, dc = dc_next * c, dc_next * i, dc_next * f
    da = np.concatenate([df * f * (1 - f), dc_next * (c_next - f * c) * (1 - i),""",
    ),
    Misconception(
        "tanh of the cell by exponentials",
        "lstm_step_backward",
        "Your tanh divides exponentials. A cell can count to hundreds, and there they are infinite.",
        "squashed = np.tanh(c_next)",
        "squashed = (np.exp(c_next) - np.exp(-c_next)) / (np.exp(c_next) + np.exp(-c_next))",
    ),
    # LSTM, through time
    Misconception(
        "cell starts anew at each step",
        "lstm_forward",
        "The hidden state travels on, but every step begins with the first cell. Then there is no memory.",
        "(x[:, t], h, c, W, b)",
        "(x[:, t], h, c0, W, b)",
    ),
    Misconception(
        "time before batch",
        "lstm_forward",
        "The steps were piled up in front of the batch. Here the batch comes first.",
        "np.stack(arrays, axis=1)",
        "np.stack(arrays, axis=0)",
    ),
    Misconception(
        "states before the steps",
        "lstm_forward",
        "The initial state is among your outputs and the last one is not. Each belongs to the step that made it.",
        """        h, c, gates = lstm_step_forward(x[:, t], h, c, W, b)
        steps.append((h, c, gates))
""",
        """        before = h, c
        h, c, gates = lstm_step_forward(x[:, t], h, c, W, b)
        steps.append((*before, gates))
""",
    ),
    Misconception(
        "gates of the last step alone",
        "lstm_forward",
        "Of the gates only the last ones are left. The backward pass will want to look at all of them.",
        "return hs, cs, all_gates",
        "return hs, cs, gates",
    ),
    Misconception(
        "initial states replaced by zeros",
        "lstm_forward",
        "The network begins from nothing, whatever states it was given.",
        "h, c, steps = h0, c0, []",
        "h, c, steps = np.zeros_like(h0), np.zeros_like(c0), []",
    ),
    Misconception(
        "hidden state starts anew",
        "lstm_forward",
        "The cell travels on, but every step begins with the first hidden state.",
        "(x[:, t], h, c, W, b)",
        "(x[:, t], h0, c, W, b)",
    ),
    Misconception(
        "the same arrays at every step",
        "lstm_forward",
        "Your list holds the same arrays many times, and every step writes into them. So all states are the last ones.",
        """    h, c, steps = h0, c0, []
    for t in range(x.shape[1]):
        h, c, gates = lstm_step_forward(x[:, t], h, c, W, b)
""",
        """    h, c, steps = h0.copy(), c0.copy(), []
    for t in range(x.shape[1]):
        h[:], c[:], gates = lstm_step_forward(x[:, t], h, c, W, b)
""",
        carried=False,
    ),
    Misconception(
        "nothing comes back",
        "lstm_backward",
        "Each step is treated as if no other came after it. What a step finds for its states is the next one's input.",
        "dh[:, t] + back_h, back_c,",
        "dh[:, t], dc_last if t == x.shape[1] - 1 else np.zeros_like(dc_last),",
    ),
    Misconception(
        "final cell ignored",
        "lstm_backward",
        "The loss may look at the last cell state too. What it says about it has to enter somewhere.",
        "np.zeros_like(h0), dc_last",
        "np.zeros_like(h0), np.zeros_like(c0)",
    ),
    Misconception(
        "only the last output counts",
        "lstm_backward",
        "Only what the loss says about the last output is used. It may have an opinion about each of them.",
        "dh[:, t] + back_h, back_c,",
        "dh[:, t] if t == x.shape[1] - 1 else back_h, back_c,",
    ),
    Misconception(
        "parameters of one step",
        "lstm_backward",
        "The same weights serve at every step. You return what one single step says about them.",
        "np.sum(dWs, axis=0), np.sum(dbs, axis=0)",
        "dWs[0], dbs[0]",
    ),
    Misconception(
        "averaged over time",
        "lstm_backward",
        "You average what the steps say about the weights. Ask the chain rule about a number that serves often.",
        "np.sum(dWs, axis=0), np.sum(dbs, axis=0)",
        "np.mean(dWs, axis=0), np.mean(dbs, axis=0)",
    ),
    Misconception(
        "gradients of the inputs backwards in time",
        "lstm_backward",
        "The steps were walked from the last to the first, and the gradients of the inputs still lie in that order.",
        "np.stack(dxs, axis=1)",
        "np.stack(dxs[::-1], axis=1)",
    ),
    Misconception(
        "first output for initial state",
        "lstm_backward",
        "The initial state is not the state after the first step. One more step has to be gone back.",
        "return np.stack(dxs, axis=1), back_h,",
        "return np.stack(dxs, axis=1), dh[:, 0],",
    ),
    Misconception(
        "round to the last state",
        "lstm_backward",
        "Before the first step you find the last states: in Python, index -1 is the end. Other states stood there.",
        "(h[:, t - 1], c[:, t - 1]) if t else (h0, c0)",
        "(h[:, t - 1], c[:, t - 1])",
        carried=False,
    ),
    Misconception(
        "gradient of the last cell at every step",
        "lstm_backward",
        "What the loss says about the last cell is added at every step. The loss looks at that cell once.",
        "dh[:, t] + back_h, back_c,",
        "dh[:, t] + back_h, back_c + (dc_last if t < x.shape[1] - 1 else 0),",
    ),
    Misconception(
        "cell's gradient does not travel",
        "lstm_backward",
        "The hidden state's gradient goes back from step to step, the cell's does not. The cell is the long memory.",
        "dh[:, t] + back_h, back_c,",
        "dh[:, t] + back_h, dc_last if t == x.shape[1] - 1 else 0 * back_c,",
    ),
    Misconception(
        "done at a step without gradient",
        "lstm_backward",
        "You stop at the first step that gets no gradient. An earlier output may still have one of its own.",
        "        h_before, c_before = (h[:, t - 1]",
        """        if not (dh[:, t].any() or back_h.any() or back_c.any()):
            steps += [(0 * x[:, 0], 0 * W, 0 * W[:, 0])] * (t + 1)
            break
        h_before, c_before = (h[:, t - 1]""",
    ),
    Misconception(
        "first states for initial ones",
        "lstm_backward",
        "Before the first step you find the states that it left. Those that it started from are arguments.",
        "(h[:, t - 1], c[:, t - 1]) if t else (h0, c0)",
        "(h[:, max(t - 1, 0)], c[:, max(t - 1, 0)])",
    ),
    Misconception(
        "tanh won back from the output",
        "lstm_backward",
        "You divide the hidden state by its output gate. That gate may be closed.",
        "h_before, c_before, c[:, t], gates",
        "h_before, c_before, np.arctanh((h / gates[..., -h0.shape[1] :]).clip(-1, 1))[:, t], gates",
    ),
    Misconception(
        "gradients clipped on the way",
        "lstm_backward",
        "You cut off large gradients between two steps. What comes out is then no longer the gradient of the loss.",
        """        steps.append((dx, dW, db))
""",
        """        steps.append((dx, dW, db))
        back_h, back_c = np.clip(back_h, -100, 100), np.clip(back_c, -100, 100)
""",
    ),
    # How far gradients reach
    Misconception(
        "steps counted from zero",
        "forget_path_gradient",
        "You multiply the right number of gates, but one step too late. Mind where the first step stands in the array.",
        "f[t - k : t]",
        "f[t - k + 1 : t + 1]",
    ),
    Misconception(
        "one gate for all steps",
        "forget_path_gradient",
        "The gates change from step to step. Yours is a power of a single one.",
        "np.prod(f[t - k : t], axis=0)",
        "f[t - 1] ** k",
    ),
    Misconception(
        "first gate included",
        "forget_path_gradient",
        "One factor too many: the gate of the step that the path starts from had its say before.",
        "f[t - k : t]",
        "f[max(t - k - 1, 0) : t]",
    ),
    Misconception(
        "gates added up",
        "forget_path_gradient",
        "The gates on the way are added. Each lets through a share of what the one before has left.",
        "np.prod(f[t - k : t], axis=0)",
        "np.sum(f[t - k : t], axis=0)",
    ),
    Misconception(
        "from the first step on",
        "forget_path_gradient",
        "You multiply the first gates of the sequence. The path ends at the step that is named.",
        "f[t - k : t]",
        "f[:k]",
    ),
    Misconception(
        "one number for all cells",
        "forget_path_gradient",
        "All cells get the same number. Each one has a path of its own.",
        "np.prod(f[t - k : t], axis=0)",
        "np.full_like(f[0], np.prod(f[t - k : t]))",
    ),
    Misconception(
        "quotient of two products",
        "forget_path_gradient",
        "You divide one product of gates by another. Once a gate has closed, nothing of them is left to divide.",
        "np.prod(f[t - k : t], axis=0)",
        "np.nan_to_num(np.prod(f[:t], axis=0) / np.prod(f[: t - k], axis=0))",
    ),
    Misconception(
        "zero divided by zero",
        "forget_path_gradient",
        "You divide one product of gates by another. Once a gate has closed, both are zero.",
        "np.prod(f[t - k : t], axis=0)",
        "np.prod(f[:t], axis=0) / np.prod(f[: t - k], axis=0)",
    ),
    Misconception(
        "floor under the logarithm",
        "forget_path_gradient",
        "You keep zeros away from a logarithm by a small number. A gate that is nearly closed may be smaller.",
        "np.prod(f[t - k : t], axis=0)",
        "np.exp(np.log(np.maximum(f[t - k : t], 1e-12)).sum(axis=0))",
    ),
    Misconception(
        "direct path for the whole",
        "cell_jacobian",
        "This is the derivative for gates that do not react. They read the hidden state, and that depends on the cell.",
        "    return dc",
        "    return np.diag(np.prod(f[start + 1 : t], axis=0))",
    ),
    Misconception(
        "product of one-step matrices",
        "cell_jacobian",
        "From two steps on it differs: the hidden state carries on what the cell alone does not. Its own gate reacts.",
        "W[:, :hidden] @ dh",
        "W[:, :hidden] @ (slope[s - 1][:, None] * dc)",
    ),
    Misconception(
        "rows and columns exchanged",
        "cell_jacobian",
        "Effects stand where causes should. One of the two cell states numbers the rows, the other the columns.",
        "    return dc",
        "    return dc.T",
    ),
    Misconception(
        "weights of the input",
        "cell_jacobian",
        "You took the columns that meet the input. A change of the cell comes back through the hidden state.",
        "W[:, :hidden] @ dh",
        "W[:, -hidden:] @ dh",
    ),
    Misconception(
        "hidden state held constant at first",
        "cell_jacobian",
        "A change of the cell reaches the very next gates. You let it enter the hidden state one step too late.",
        "dh = slope[start][:, None] * dc",
        "dh = 0 * slope[start][:, None] * dc",
    ),
    Misconception(
        "nothing at lag zero",
        "cell_jacobian",
        "Without a step in between, both cell states are the same. Think of the derivative of something by itself.",
        "    return dc",
        "    return dc if k else np.zeros_like(dc)",
    ),
    Misconception(
        "forget gate held fixed",
        "cell_jacobian",
        "The forget gate does not react in your derivative. It reads the hidden state like the others.",
        "            + (c[s - 1] * f[s] * (1 - f[s]))[:, None] * df\n",
        "            + 0 * df\n",
    ),
    Misconception(
        "cell after the step in the forget gate's path",
        "cell_jacobian",
        "The forget gate multiplies the cell as it was before the step. You take the one after it.",
        "c[s - 1] * f[s] * (1 - f[s])",
        "c[s] * f[s] * (1 - f[s])",
    ),
    # Initialization
    Misconception(
        "forget bias twice",
        "lstm_init",
        "The forget gate begins further open than it was told. Count the places where its bias is added.",
        "b[:hidden_size] = forget_bias",
        "b[:hidden_size] = 2 * forget_bias",
    ),
    Misconception(
        "forget bias in the second block",
        "lstm_init",
        "You have opened another gate than the one that forgets. The order of the blocks is that of this assignment.",
        "b[:hidden_size] = forget_bias",
        "b[hidden_size : 2 * hidden_size] = forget_bias",
    ),
    Misconception(
        "range from all columns",
        "lstm_init",
        "The weights are drawn from too narrow a range: the number of columns does not enter it here.",
        "hidden_size**-0.5",
        "(hidden_size + input_size) ** -0.5",
    ),
    Misconception(
        "normal instead of uniform",
        "lstm_init",
        "Some of the weights lie outside of the range. The distribution that you draw from has no ends.",
        "rng.uniform(-bound, bound, size=",
        "rng.normal(0, bound, size=",
    ),
    Misconception(
        "generator of one's own",
        "lstm_init",
        "Every network starts from the same weights, whatever generator it is given. Draw from that one.",
        "rng.uniform(",
        "np.random.default_rng(0).uniform(",
    ),
    Misconception(
        "bias for all gates",
        "lstm_init",
        "All four blocks get the bias. Only one kind of gate was to begin open.",
        "b[:hidden_size] = forget_bias",
        "b[:] = forget_bias",
    ),
    Misconception(
        "bias of one whatever was asked",
        "lstm_init",
        "The forget gate begins with a bias of 1, whatever the caller has chosen.",
        "b[:hidden_size] = forget_bias",
        "b[:hidden_size] = 1.0",
    ),
    Misconception(
        "weights between zero and the bound",
        "lstm_init",
        "All your weights are positive. The range reaches as far below zero as above.",
        "rng.uniform(-bound, bound, size=",
        "rng.uniform(0, bound, size=",
    ),
    Misconception(
        "whole numbers for the biases",
        "lstm_init",
        "Given a whole number, your biases are whole numbers too, and an optimizer cannot move them by a little.",
        """    b = np.zeros(4 * hidden_size)
    b[:hidden_size] = forget_bias
""",
        """    b = np.repeat([forget_bias, 0, 0, 0], hidden_size)
""",
    ),
    # GRU
    Misconception(
        "update before reset",
        "gru_step_forward",
        "Reset and update have changed places. Libraries differ in the order of these blocks.",
        "r, z = (",
        "z, r = (",
    ),
    Misconception(
        "candidate's bias outside the reset",
        "gru_step_forward",
        "The error vanishes when the second bias is zero. Look at what exactly the reset gate takes part in.",
        "r * from_state[2]",
        "r * (from_state[2] - bias_hh[-h.shape[1] :]) + bias_hh[-h.shape[1] :]",
    ),
    Misconception(
        "reset before the product",
        "gru_step_forward",
        "This is the GRU of the first paper, which resets the state itself. The one asked for resets something later.",
        "r * from_state[2]",
        "(r * h) @ weight_hh[-h.shape[1] :].T + bias_hh[-h.shape[1] :]",
    ),
    Misconception(
        "old and new exchanged",
        "gru_step_forward",
        "Papers disagree on what an open update gate means. Check which of the two states it keeps here.",
        "return (1 - z) * n + z * h",
        "return z * n + (1 - z) * h",
    ),
    Misconception(
        "candidate of the GRU through a sigmoid",
        "gru_step_forward",
        "Your candidates are never negative. One of the three blocks is no gate.",
        "np.tanh(from_input[2] + r * from_state[2])",
        "_sigmoid(from_input[2] + r * from_state[2])",
    ),
    Misconception(
        "reset on the input as well",
        "gru_step_forward",
        "The reset gate takes away from the input, too. It was to act on what comes from the state.",
        "np.tanh(from_input[2] + r * from_state[2])",
        "np.tanh(r * (from_input[2] + from_state[2]))",
    ),
    Misconception(
        "no reset",
        "gru_step_forward",
        "The reset gate is computed and has no effect.",
        "np.tanh(from_input[2] + r * from_state[2])",
        "np.tanh(from_input[2] + from_state[2])",
    ),
    Misconception(
        "tanh by exponentials, too far down",
        "gru_step_forward",
        "Your tanh divides exponentials. Far below zero one of them is infinite.",
        """    n = np.tanh(from_input[2] + r * from_state[2])
""",
        """    shrunk = np.exp(-2 * (from_input[2] + r * from_state[2]))
    n = (1 - shrunk) / (1 + shrunk)
""",
    ),
    Misconception(
        "first state at every step",
        "gru_forward",
        "Each step starts from the initial state again. It should start from what the step before has left.",
        "(x[:, t], h, weight_ih",
        "(x[:, t], h0, weight_ih",
    ),
    Misconception(
        "single precision lost in the stack",
        "gru_forward",
        "Float32 went in and float64 came out. Look at the array in which you collect the states.",
        "np.stack(states, axis=1)",
        "np.stack(states, axis=1, dtype=np.float64)",
    ),
    Misconception(
        "one array at every step",
        "gru_forward",
        "Your list holds one array many times, and every step writes into it. So all states are the last one.",
        """    h, states = h0, []
    for t in range(x.shape[1]):
        h = gru_step_forward(x""",
        """    h, states = h0.copy(), []
    for t in range(x.shape[1]):
        h[:] = gru_step_forward(x""",
    ),
    Misconception(
        "steps in front of the batch",
        "gru_forward",
        "The steps were piled up in front of the batch. Here the batch comes first.",
        "np.stack(states, axis=1)",
        "np.stack(states)",
    ),
    Misconception(
        "state before each step",
        "gru_forward",
        "The initial state is among your outputs and the last one is not.",
        """        h = gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)
        states.append(h)
""",
        """        states.append(h)
        h = gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)
""",
    ),
    Misconception(
        "candidate not counted",
        "parameter_count",
        "An LSTM has three gates, but more than three blocks of weights. Remember what the gates act on.",
        '"lstm": 4',
        '"lstm": 3',
    ),
    Misconception(
        "one bias a layer",
        "parameter_count",
        "The whole layer has a single bias in your count. Every row of the weights has one.",
        "(input_size + hidden_size + biases)",
        "(input_size + hidden_size) + biases",
    ),
    Misconception(
        "second bias not counted",
        "parameter_count",
        "Some libraries keep two biases where one would do. They are numbers too, and are trained.",
        "hidden_size + biases)",
        "hidden_size + 1)",
    ),
    Misconception(
        "GRU counted like an LSTM",
        "parameter_count",
        "A GRU has fewer blocks than you count. Name them.",
        '"gru": 3',
        '"gru": 4',
    ),
    Misconception(
        "state's weights forgotten",
        "parameter_count",
        "You count the weights of the input. The hidden state has weights of its own.",
        "(input_size + hidden_size + biases)",
        "(input_size + biases)",
    ),
    Misconception(
        "biases not counted",
        "parameter_count",
        "Only weights are counted. Every row has something else.",
        "(input_size + hidden_size + biases)",
        "(input_size + hidden_size)",
    ),
    # Two directions
    Misconception(
        "padding comes first",
        "reverse_padded",
        "The whole row was turned around, so that a short sequence now begins with its padding.",
        "return x[np.arange(len(x))[:, None], order]",
        "return x[:, ::-1].copy()",
        carried=False,
    ),
    Misconception(
        "padding wiped out",
        "reverse_padded",
        "The sequences are right, but the padding has become zero. Nobody asked to clean up.",
        "return x[np.arange(len(x))[:, None], order]",
        "return np.where((time < length)[:, :, None], x[np.arange(len(x))[:, None], order], 0)",
    ),
    Misconception(
        "reversed in place",
        "reverse_padded",
        "The answer is right, but the caller's batch runs backwards afterwards too.",
        "    return x[np.arange(len(x))[:, None], order]",
        "    x[:] = x[np.arange(len(x))[:, None], order]\n    return x",
    ),
    Misconception(
        "padding turned round as well",
        "reverse_padded",
        "The padding comes out backwards, too. It was to stay as it is.",
        "np.where(time < length, length - 1 - time, time)",
        "(length - 1 - time) % x.shape[1]",
    ),
    Misconception(
        "off by one at the end",
        "reverse_padded",
        "The first word of your sentence comes from beyond its end. The last word stands one place before its length.",
        "length - 1 - time, time)",
        "np.minimum(length - time, x.shape[1] - 1), time)",
        carried=False,
    ),
    Misconception(
        "features turned round",
        "reverse_padded",
        "You have reversed the features of each word. The words were to change their order.",
        "return x[np.arange(len(x))[:, None], order]",
        "return x[np.arange(len(x))[:, None], np.sort(order, axis=1), ::-1]",
        carried=False,
    ),
    Misconception(
        "sorted without keeping the order",
        "reverse_padded",
        "You sort with one key for all padding. Entries with equal keys may change places, in long sequences at least.",
        "np.where(time < length, length - 1 - time, time)",
        "np.argsort(np.where(time < length, length - 1 - time, len(time)), axis=1)",
    ),
    Misconception(
        "joined by arithmetic",
        "reverse_padded",
        "You join two parts by multiplying with zero and one. An infinity times zero is no number.",
        "    return x[np.arange(len(x))[:, None], order]",
        """    turned = x[np.arange(len(x))[:, None], (order * 0 + length - 1 - time) % x.shape[1]]
    inside = (time < length)[:, :, None].astype(x.dtype)
    return inside * turned + (1 - inside) * x""",
    ),
    Misconception(
        "padding read first",
        "bidirectional_lstm",
        "From the right, the second network reads padding before it reads the sentence. Its state is not zero by then.",
        "reverse_padded(_run(reverse_padded(x, lengths), backward), lengths)",
        "_run(x[:, ::-1], backward)[:, ::-1]",
    ),
    Misconception(
        "padding let in above",
        "bidirectional_lstm",
        "The first layer respects the lengths and the next ones do not. Padding holds numbers there as well.",
        """    for forward, backward in layers:
        ahead = _run(x, forward)
        back = reverse_padded(_run(reverse_padded(x, lengths), backward), lengths)
""",
        """    seen = lengths
    for forward, backward in layers:
        ahead = _run(x, forward)
        back = reverse_padded(_run(reverse_padded(x, seen), backward), seen)
        seen = np.full_like(lengths, x.shape[1])
""",
    ),
    Misconception(
        "not turned back",
        "bidirectional_lstm",
        "The states of the second direction still run from the last word to the first. Side by side, words must match.",
        "reverse_padded(_run(reverse_padded(x, lengths), backward), lengths)",
        "_run(reverse_padded(x, lengths), backward)",
    ),
    Misconception(
        "one network for both directions",
        "bidirectional_lstm",
        "Both directions use the same weights. They are two networks, which merely read the same words.",
        "reverse_padded(x, lengths), backward)",
        "reverse_padded(x, lengths), forward)",
    ),
    Misconception(
        "states beyond the end",
        "bidirectional_lstm",
        "Behind the last word of a sentence your network goes on talking. Something else was promised there.",
        "return np.where(inside[:, :, None], x, 0)",
        "return np.where(inside[:, :, None], x, x)",
    ),
    Misconception(
        "empty sentence let through",
        "bidirectional_lstm",
        "A sentence without words slips through. It has no last state, and nobody should go on with it.",
        "lengths.min() < 1",
        "lengths.min() < 0",
    ),
    Misconception(
        "backward states first",
        "bidirectional_lstm",
        "The two directions lie side by side in the other order.",
        "np.concatenate([ahead, back], axis=2)",
        "np.concatenate([back, ahead], axis=2)",
    ),
    Misconception(
        "directions added",
        "bidirectional_lstm",
        "The states of both directions are added. They lie side by side.",
        "np.concatenate([ahead, back], axis=2)",
        "np.concatenate([ahead + back, ahead + back], axis=2)",
    ),
    Misconception(
        "one direction twice",
        "bidirectional_lstm",
        "The second half of your output is the first once more. It was to come from the other end.",
        "np.concatenate([ahead, back], axis=2)",
        "np.concatenate([ahead, ahead + 0 * back], axis=2)",
    ),
    Misconception(
        "sorted, and sorted once more",
        "bidirectional_lstm",
        "You sort the sentences, and undo it with the same permutation. The way back is another one.",
        "    return np.where(inside[:, :, None], x, 0)",
        """    order = np.argsort(-lengths, kind="stable")
    return np.where(inside[:, :, None], x, 0)[order][order]""",
    ),
    Misconception(
        "every further layer reads the first",
        "bidirectional_lstm",
        "With three layers or more, one of them does not read what the layer just below has put out.",
        """    for forward, backward in layers:
        ahead = _run(x, forward)
""",
        """    outputs = []
    for forward, backward in layers:
        outputs.append(x)
        x = outputs[:2][-1]
        ahead = _run(x, forward)
""",
    ),
    # Masked words
    Misconception(
        "a tenth of the rest",
        "mask_tokens",
        "Far too few words become random ones. The last choice concerns only what the first one left over.",
        "(fate < 0.9)",
        "(fate < 0.82)",
    ),
    Misconception(
        "labels taken after hiding",
        "mask_tokens",
        "The model is asked to predict what it already sees. The right answers were written down too late.",
        "rng.choice(ordinary, size=replaced.sum())",
        "rng.choice(ordinary, size=replaced.sum())\n    labels[selected] = inputs[selected]",
    ),
    Misconception(
        "special words hidden too",
        "mask_tokens",
        "Padding and the marks of a sentence are selected like words. There is nothing to learn from guessing them.",
        " & ~np.isin(ids, reserved)",
        "",
    ),
    Misconception(
        "hidden words hidden again",
        "mask_tokens",
        "Where the mask stands already it is selected like a word. To predict a mask would teach nobody anything.",
        "np.isin(ids, reserved)",
        "np.isin(ids, list(special_ids))",
    ),
    Misconception(
        "any id for a random word",
        "mask_tokens",
        "Some words are replaced by special ones, as if these were words. Draw from a smaller set.",
        "rng.choice(ordinary, size=replaced.sum())",
        "rng.integers(vocab_size, size=replaced.sum())",
    ),
    Misconception(
        "random words of this batch alone",
        "mask_tokens",
        "Words that happen to be missing in these sentences are never drawn, though the vocabulary has them.",
        "rng.choice(ordinary, size=replaced.sum())",
        "rng.choice(np.intersect1d(ordinary, ids), size=replaced.sum())",
    ),
    Misconception(
        "one random word for all",
        "mask_tokens",
        "All words that are replaced turn into the same one. A draw for each of them is needed.",
        "rng.choice(ordinary, size=replaced.sum())",
        "rng.choice(ordinary)",
    ),
    Misconception(
        "kept words not predicted",
        "mask_tokens",
        "Words that were selected and then left alone lose their label. The model should be tested on them too.",
        "    inputs[selected & (fate < 0.8)] = mask_id",
        "    labels[fate >= 0.9] = -100\n    inputs[selected & (fate < 0.8)] = mask_id",
    ),
    Misconception(
        "a fixed share of each sentence",
        "mask_tokens",
        "Every sentence loses the same share of its words. Independent draws scatter.",
        "selected = (rng.random(ids.shape) < probability) & ~np.isin(ids, reserved)",
        """usable = ~np.isin(ids, reserved)
    rank = np.argsort(np.argsort(np.where(usable, rng.random(ids.shape), 2.0), axis=1), axis=1)
    selected = rank < np.rint(probability * usable.sum(axis=1, keepdims=True))""",
    ),
    Misconception(
        "NumPy's hidden generator",
        "mask_tokens",
        "Your draws do not come from the generator that was handed to you, so nobody can repeat them.",
        "(rng.random(ids.shape) < probability)",
        "(np.random.random(ids.shape) < probability)",
    ),
    Misconception(
        "all selected words hidden",
        "mask_tokens",
        "Every selected word becomes the mask. Some were to become another word, and some to stay.",
        "inputs[selected & (fate < 0.8)] = mask_id\n    replaced = selected & (fate >= 0.8)",
        "inputs[selected] = mask_id\n    replaced = selected & (fate > 2)",
    ),
    Misconception(
        "labels everywhere",
        "mask_tokens",
        "Every word has a label. Only those that were selected are to be predicted.",
        "np.where(selected, ids, -100)",
        "ids.copy()",
    ),
    Misconception(
        "fates dealt out in fixed shares",
        "mask_tokens",
        "You deal the three fates out in exact shares. Each word was to meet its own by itself.",
        """    fate = rng.random(ids.shape)
""",
        """    fate, n = np.ones(ids.shape), selected.sum()
    fate[selected] = np.argsort(rng.permutation(n))
    fate[selected] = np.select([fate[selected] < int(0.8 * n), fate[selected] < int(0.9 * n)], [0.0, 0.85], 1.0)
""",
    ),
    Misconception(
        "mask stepped over twice",
        "mask_tokens",
        "You draw among fewer numbers and step over reserved ids. If the mask is a special word you do so twice.",
        """    fate = rng.random(ids.shape)
    inputs, labels = ids.copy(), np.where(selected, ids, -100)
    inputs[selected & (fate < 0.8)] = mask_id
    replaced = selected & (fate >= 0.8) & (fate < 0.9)
    inputs[replaced] = rng.choice(ordinary, size=replaced.sum())
""",
        """    drawn = rng.integers(0, max(vocab_size - len(reserved), 1 + 0 * len(ordinary)), size=ids.shape)
    for word in sorted(reserved):
        drawn += drawn >= word
    fate = rng.random(ids.shape)
    inputs, labels = ids.copy(), np.where(selected, ids, -100)
    inputs[selected & (fate < 0.8)] = mask_id
    replaced = selected & (fate >= 0.9)
    inputs[replaced] = drawn[replaced]
""",
    ),
    Misconception(
        "never without a word",
        "mask_tokens",
        "Where chance selects no word you select one all the same. In short texts that is far too often.",
        """    fate = rng.random(ids.shape)
""",
        """    words = np.flatnonzero(~np.isin(ids, reserved))
    if probability and words.size and not selected.any():
        selected.flat[rng.choice(words)] = True
    fate = rng.random(ids.shape)
""",
    ),
    Misconception(
        "every word counts",
        "masked_lm_loss",
        "Words that nobody has to predict enter the loss. Most of them are there to be read, and so it looks too good.",
        "selected = labels != -100",
        "selected = np.ones_like(labels, dtype=bool)",
    ),
    Misconception(
        "divided by all positions",
        "masked_lm_loss",
        "The sum is right, the mean is not. Think again about how many words it runs over.",
        "max(int(selected.sum()), 1)",
        "labels.size",
    ),
    Misconception(
        "sum of the losses",
        "masked_lm_loss",
        "The loss grows with the number of selected words, its gradient does not. They should belong together.",
        "log_p[rows, labels[selected]].sum() / count",
        "log_p[rows, labels[selected]].sum()",
    ),
    Misconception(
        "gradient of the sum",
        "masked_lm_loss",
        "The loss is a mean, and you return the gradient of a sum. The step would grow with the number of words.",
        "gradient / count",
        "gradient",
    ),
    Misconception(
        "nothing divided by nothing",
        "masked_lm_loss",
        "When by chance no word is selected, the mean of nothing has to be something all the same.",
        "max(int(selected.sum()), 1)",
        "selected.sum()",
    ),
    Misconception(
        "gradient written into a copy",
        "masked_lm_loss",
        "reshape shows some arrays and copies others, depending on how they lie in memory. A copy is thrown away.",
        "    dlogits[selected] = gradient / count",
        "    dlogits.reshape(-1, logits.shape[-1])[selected.ravel()] = gradient / count",
    ),
    Misconception(
        "exponentials of large scores",
        "masked_lm_loss",
        "An exponential of a large score is infinite. The softmax stays the same if all scores are moved first.",
        "chosen - chosen.max(axis=1, keepdims=True)",
        "chosen.copy()",
    ),
    Misconception(
        "means of the sentences averaged",
        "masked_lm_loss",
        "Each sentence has a mean of its own here, and a sentence of one word counts as much as a long one.",
        """    dlogits[selected] = gradient / count
    return float(-log_p[rows, labels[selected]].sum() / count), dlogits""",
        """    sentence = np.nonzero(selected)[0]
    shares = np.bincount(sentence)[sentence] * len(np.unique(sentence))
    dlogits[selected] = gradient / shares[:, None] + 0 / count
    return float(-(log_p[rows, labels[selected]] / shares).sum()), dlogits""",
    ),
    Misconception(
        "probabilities without the target",
        "masked_lm_loss",
        "Your gradient is the same whatever the right word is. For a perfect prediction it should vanish.",
        "    gradient[rows, labels[selected]] -= 1\n",
        "",
    ),
    Misconception(
        "one maximum for all words",
        "masked_lm_loss",
        "You take one maximum for all positions, and next to one with large scores the others underflow.",
        "chosen.max(axis=1, keepdims=True)",
        "chosen.max(initial=-1e4)",
    ),
    Misconception(
        "logarithm of the sum at its full size",
        "masked_lm_loss",
        "You subtract a logarithm that is as large as the scores. In float32 few digits of loss and gradient are left.",
        "log_p -= np.log(np.exp(log_p).sum(axis=1, keepdims=True))",
        "log_p = chosen - (chosen.max(axis=1, keepdims=True) + np.log(np.exp(log_p).sum(axis=1, keepdims=True)))",
    ),
    Misconception(
        "largest score added back",
        "masked_lm_loss",
        "You move the scores and then add the large number back too early. In float32 it swallows the digits.",
        "    return float(-log_p[rows, labels[selected]].sum() / count), dlogits",
        """    largest = chosen.max(axis=1, keepdims=True)
    logs = largest + np.log(np.exp(chosen - largest).sum(axis=1, keepdims=True))
    return float((logs[:, 0] - chosen[rows, labels[selected]]).sum() / count), dlogits""",
    ),
    # Bonus
    Misconception(
        "kept part forgotten",
        "gru_step_backward",
        "Part of the old state goes into the new one without any weights. Gradients take that road too.",
        "dh_next * z + dv @ weight_hh",
        "dv @ weight_hh",
    ),
    Misconception(
        "reset on the input's side",
        "gru_step_backward",
        "The reset gate stands between the state and the candidate. It does not touch what the input says.",
        "du @ weight_ih",
        "dv @ weight_ih",
    ),
    Misconception(
        "no reset for the state's weights",
        "gru_step_backward",
        "The weights of the state reach the candidate through the reset gate. On the way back it is still there.",
        "dv.T @ h",
        "du.T @ h",
    ),
    Misconception(
        "equal biases",
        "gru_step_backward",
        "The two biases look alike and are not: one of them passes a gate before it arrives.",
        "dv.sum(axis=0)",
        "du.sum(axis=0)",
    ),
    Misconception(
        "candidate's slope forgotten",
        "gru_step_backward",
        "The gradient passes the candidate's tanh as though it were a straight line.",
        "dh_next * (1 - z) * (1 - n**2)",
        "dh_next * (1 - z)",
    ),
    Misconception(
        "sign of the update gate",
        "gru_step_backward",
        "An update gate that opens further keeps more of the old state. Your gradient has it the other way round.",
        "dh_next * (h - n)",
        "dh_next * (n - h)",
    ),
    Misconception(
        "reset gate's slope forgotten",
        "gru_step_backward",
        "The gradient passes the reset gate's sigmoid as though it were a straight line.",
        "dr = dn * v_n * r * (1 - r)",
        "dr = dn * v_n",
    ),
    Misconception(
        "candidate solved for",
        "gru_step_backward",
        "You find the candidate by dividing by what the update gate leaves, and that may be nothing.",
        """    n = np.tanh(u_n + r * v_n)
""",
        """    n = np.tanh(u_n + r * v_n)
    n = ((1 - z) * n + z * h - z * h) / (1 - z)
""",
    ),
    Misconception(
        "sigmoid that overflows",
        "gru_step_backward",
        "Your sigmoid divides two exponentials. Far above zero both are infinite.",
        "r, z = _sigmoid(u_r + v_r), _sigmoid(u_z + v_z)",
        "r, z = (np.exp(a) / (1 + np.exp(a)) for a in (u_r + v_r, u_z + v_z))",
    ),
    Misconception(
        "spans as biases",
        "chrono_bias",
        "A bias of a hundred is no memory of a hundred steps, it is a gate that never closes. Solve for the bias.",
        "np.log(rng.uniform(1, max_lag - 1, size=hidden_size))",
        "rng.uniform(1, max_lag - 1, size=hidden_size)",
    ),
    Misconception(
        "logarithms spread evenly",
        "chrono_bias",
        "You spread the biases evenly, and so most cells get a short memory. Something else was to be even.",
        "np.log(rng.uniform(1, max_lag - 1, size=hidden_size))",
        "rng.uniform(0, np.log(max_lag - 1), size=hidden_size)",
    ),
    Misconception(
        "input gate left alone",
        "chrono_bias",
        "A cell that remembers for long should also write little. The input gate knows nothing of it here.",
        "[forget, -forget,",
        "[forget, 0 * forget,",
    ),
    Misconception(
        "one span for all cells",
        "chrono_bias",
        "All cells have the same memory. A span was to be drawn for each.",
        "np.log(rng.uniform(1, max_lag - 1, size=hidden_size))",
        "np.full(hidden_size, np.log(rng.uniform(1, max_lag - 1)))",
    ),
    Misconception(
        "spans rounded",
        "chrono_bias",
        "Your spans are whole numbers. Real ones were to be drawn.",
        "rng.uniform(1, max_lag - 1, size=hidden_size)",
        "rng.integers(1, max_lag, size=hidden_size)",
    ),
    Misconception(
        "blocks in PyTorch's order",
        "chrono_bias",
        "The biases have gone to other gates than those that they were made for. Mind the order of the blocks.",
        "[forget, -forget,",
        "[-forget, forget,",
    ),
    Misconception(
        "one span in each part of the range",
        "chrono_bias",
        "You draw one span in each of as many equal parts as there are cells. Spans were to be independent.",
        "rng.uniform(1, max_lag - 1, size=hidden_size)",
        "1 + (max_lag - 2) * (rng.permutation(hidden_size) + rng.random(hidden_size)) / hidden_size",
    ),
    # PyTorch
    Misconception(
        "blocks not reordered",
        "lstm_to_torch",
        "The blocks went over in the order in which they were. PyTorch expects another one.",
        "[enter, forget, candidate, output]",
        "[forget, enter, candidate, output]",
    ),
    Misconception(
        "bias in both places",
        "lstm_to_torch",
        "PyTorch adds up two biases. Whoever fills in both with the same gets it twice.",
        "torch.zeros_like(bias)",
        "bias",
    ),
    Misconception(
        "columns exchanged",
        "lstm_to_torch",
        "Which columns met the state, and which the input? In your layer it is the other way round.",
        """            "weight_ih_l0": weight[:, hidden:],
            "weight_hh_l0": weight[:, :hidden],
""",
        """            "weight_ih_l0": weight[:, :-hidden],
            "weight_hh_l0": weight[:, -hidden:],
""",
    ),
    Misconception(
        "default precision",
        "lstm_to_torch",
        "Your layer computes in PyTorch's default precision. The weights had one of their own.",
        ", dtype=weight.dtype)",
        ")",
    ),
    Misconception(
        "default taken for single precision",
        "lstm_to_torch",
        "Your layer has the right precision as long as nobody changes PyTorch's default. Ask the weights for theirs.",
        ", dtype=weight.dtype)",
        ", dtype=weight.dtype if weight.dtype == torch.float64 else None)",
    ),
    Misconception(
        "bias left behind",
        "lstm_to_torch",
        "The weights arrive and the biases do not.",
        '"bias_ih_l0": bias',
        '"bias_ih_l0": 0 * bias',
    ),
    Misconception(
        "biases not reordered",
        "lstm_to_torch",
        "The rows of the weights have been put into PyTorch's order, the biases have not.",
        "torch.tensor(W)[order], torch.tensor(b)[order]",
        "torch.tensor(W)[order], torch.tensor(b)",
    ),
    Misconception(
        "two biases in one memory",
        "lstm_to_torch",
        "The two biases share their numbers: what an optimizer takes from the one, the other loses too.",
        "    return lstm",
        """    lstm.bias_ih_l0.data = lstm.bias_hh_l0.data = bias / 2
    return lstm""",
    ),
    Misconception(
        "frozen layer",
        "lstm_to_torch",
        "Your layer computes rightly and cannot be trained: its parameters ask for no gradients.",
        "    return lstm",
        "    return lstm.requires_grad_(False)",
    ),
    Misconception(
        "directions and batch mixed by a view",
        "packed_final_states",
        "The shape is right, and sentences share their vectors: a reshape reads on in memory and moves no axis.",
        "torch.cat([h[-2], h[-1]], dim=1)",
        "h[-2:].reshape(len(x), -1)",
    ),
    Misconception(
        "first layer for last",
        "packed_final_states",
        "These are the states of the lowest layer. With a single layer it is the highest as well.",
        "torch.cat([h[-2], h[-1]], dim=1)",
        "torch.cat([h[0], h[1]], dim=1)",
    ),
    Misconception(
        "batch not packed",
        "packed_final_states",
        "The network reads on to the end of the batch, padding and all. It was never told where sentences end.",
        "_, (h, _) = lstm(packed)",
        "_, (h, _) = lstm(x)",
    ),
    Misconception(
        "sorted and left so",
        "packed_final_states",
        "The sentences were sorted by length, and their vectors come out in that order. Nobody knows whose is whose.",
        "packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)",
        """order = torch.argsort(lengths, descending=True)
    packed = pack_padded_sequence(x[order], lengths[order], batch_first=True)""",
    ),
    Misconception(
        "history cut off",
        "packed_final_states",
        "The numbers are right, but no gradient finds its way to the words: you went on behind autograd's back.",
        "pack_padded_sequence(x, lengths",
        "pack_padded_sequence(x.data, lengths",
    ),
    Misconception(
        "backward state first",
        "packed_final_states",
        "The two directions lie side by side in the other order.",
        "torch.cat([h[-2], h[-1]], dim=1)",
        "torch.cat([h[-1], h[-2]], dim=1)",
    ),
    Misconception(
        "cells for hidden states",
        "packed_final_states",
        "These are the cell states. The hidden states were asked for.",
        "_, (h, _) = lstm(packed)",
        "_, (_, h) = lstm(packed)",
    ),
    Misconception(
        "outputs at the last word",
        "packed_final_states",
        "At the last word the second direction has read one word only. Its final state is the one at the first word.",
        "    _, (h, _) = lstm(packed)\n    return torch.cat([h[-2], h[-1]], dim=1)",
        """    out, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True)
    return out[torch.arange(len(x)), lengths - 1]""",
    ),
    Misconception(
        "cut to the longest sentence",
        "MaskedWordModel",
        "If no sentence fills the batch, your scores stop with the longest. Every position was to have some.",
        ", total_length=ids.shape[1]",
        "",
    ),
    Misconception(
        "padding read as words",
        "MaskedWordModel",
        "From the right, your model reads the padding before the sentence, and its scores depend on what stands there.",
        """        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])
""",
        """        states, _ = self.lstm(self.embedding(ids))
""",
    ),
    Misconception(
        "left context alone",
        "MaskedWordModel",
        "Your model knows what comes before the hidden word but not what follows. That leaves several words to guess.",
        """batch_first=True, bidirectional=True)
        self.scores = nn.Linear(2 * hidden_size, vocab_size)
""",
        """batch_first=True)
        self.scores = nn.Linear(hidden_size, vocab_size)
""",
    ),
    Misconception(
        "right context alone",
        "MaskedWordModel",
        "Your model knows what follows the hidden word but not what came before. That leaves two words to guess.",
        "logits: Tensor = self.scores(states)",
        "logits: Tensor = self.scores(states[..., states.shape[2] // 2 :].repeat(1, 1, 2))",
    ),
    Misconception(
        "words sorted and left so",
        "MaskedWordModel",
        "The sentences were sorted by length, and their scores come out in that order.",
        """        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
""",
        """        order = torch.argsort(lengths, descending=True)
        packed = pack_padded_sequence(self.embedding(ids[order]), lengths[order], batch_first=True)
""",
    ),
)
