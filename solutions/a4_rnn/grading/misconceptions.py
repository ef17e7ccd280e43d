"""Mistakes that students make in assignment 4, each a patch of the reference and a teacher's sentence."""

from __future__ import annotations

from autograder.course import Misconception

MISCONCEPTIONS = (
    # The step
    Misconception(
        "recurrent weights the wrong way round",
        "rnn_step_forward",
        "V is square, so nothing complains when it is applied the wrong way round. Mind which index is which state's.",
        "h @ V.T",
        "h @ V",
    ),
    Misconception(
        "bias after the nonlinearity",
        "rnn_step_forward",
        "The bias is added when the nonlinearity is done, and the state leaves the range of tanh.",
        "np.tanh(x @ U.T + h @ V.T + b)",
        "np.tanh(x @ U.T + h @ V.T) + b",
    ),
    Misconception(
        "no bias",
        "rnn_step_forward",
        "Without input and with an empty memory, your state stays at zero. One term of the formula prevents that.",
        "h @ V.T + b",
        "h @ V.T",
    ),
    Misconception(
        "memory past the nonlinearity",
        "rnn_step_forward",
        "Only the input goes through the nonlinearity; the memory is added behind it, and can grow without limit.",
        "np.tanh(x @ U.T + h @ V.T + b)",
        "np.tanh(x @ U.T + b) + h @ V.T",
    ),
    Misconception(
        "sigmoid for tanh",
        "rnn_step_forward",
        "This state is never negative. There is more than one function of that shape, and the formula names another.",
        "np.tanh(x @ U.T + h @ V.T + b)",
        "1 / (1 + np.exp(-(x @ U.T + h @ V.T + b)))",
    ),
    Misconception(
        "memory left out",
        "rnn_step_forward",
        "The new state depends on the input alone. Such a network has no memory.",
        "np.tanh(x @ U.T + h @ V.T + b)",
        "np.tanh(x @ U.T + 0 * h @ V.T + b)",
        carried=False,
    ),
    Misconception(
        "no nonlinearity",
        "rnn_step_forward",
        "The state can become as large as it likes: nothing squashes it.",
        "np.tanh(x @ U.T + h @ V.T + b)",
        "x @ U.T + h @ V.T + b",
    ),
    Misconception(
        "bias beside both weights",
        "rnn_step_forward",
        "The bias is added beside the input weights and once more beside the recurrent ones.",
        "h @ V.T + b",
        "h @ V.T + 2 * b",
    ),
    Misconception(
        "tanh out of exponentials",
        "rnn_step_forward",
        "You compute tanh from exponentials, and far from zero those overflow.",
        "    return np.tanh(x @ U.T + h @ V.T + b)",
        """    a = x @ U.T + h @ V.T + b
    return (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a))""",
    ),
    Misconception(
        "exponentials that only double precision can hold",
        "rnn_step_forward",
        "Your exponentials stay within the range of double precision. That of single precision is much smaller.",
        "    return np.tanh(x @ U.T + h @ V.T + b)",
        """    e = np.exp(2 * np.clip(x @ U.T + h @ V.T + b, -300, 300))
    return (e - 1) / (e + 1)""",
    ),
    Misconception(
        "squashed twice",
        "rnn_step_backward",
        "The states have been through tanh already. Its slope can be had from its value without applying it once more.",
        "h_next**2",
        "np.tanh(h_next) ** 2",
    ),
    Misconception(
        "slope at the old state",
        "rnn_step_backward",
        "The slope of the nonlinearity is taken at the state before the step, and not at the one that it produced.",
        "h_next**2",
        "h**2",
    ),
    Misconception(
        "slope left out",
        "rnn_step_backward",
        "The gradient passes the nonlinearity as though it were a straight line.",
        "dh_next * (1 - h_next**2)",
        "dh_next",
    ),
    Misconception(
        "input past the nonlinearity",
        "rnn_step_backward",
        "On its way back to the input, too, the gradient has to pass the nonlinearity.",
        "da @ U",
        "dh_next @ U",
    ),
    Misconception(
        "back as it went forward",
        "rnn_step_backward",
        "Going back, V acts the other way round than going forward. It is square, so its shape will not tell you.",
        "da @ V",
        "da @ V.T",
    ),
    Misconception(
        "input weights averaged over the batch",
        "rnn_step_backward",
        "All sequences share the weights, so what they say about them is added up. Nothing asks for a mean.",
        "da.T @ x",
        "da.T @ x / len(x)",
    ),
    Misconception(
        "paired with the new state",
        "rnn_step_backward",
        "The recurrent weights met the state before the step, not the one that came out of it.",
        "da.T @ h",
        "da.T @ h_next",
        carried=False,
    ),
    Misconception(
        "gradient of V transposed",
        "rnn_step_backward",
        "Row and column of the recurrent weights' gradient are exchanged. Being square, it does not complain.",
        "da.T @ h",
        "h.T @ da",
    ),
    Misconception(
        "bias past the nonlinearity",
        "rnn_step_backward",
        "The bias is added before the nonlinearity, so its gradient has to come back through it.",
        "da.sum(axis=0)",
        "dh_next.sum(axis=0)",
    ),
    Misconception(
        "slope of the sigmoid",
        "rnn_step_backward",
        "This is how the slope of a sigmoid follows from its output. That of tanh is another one.",
        "1 - h_next**2",
        "h_next * (1 - h_next)",
    ),
    Misconception(
        "state not squared",
        "rnn_step_backward",
        "Your slope is not the same for a state and its negative. Differentiate tanh once more, on paper.",
        "1 - h_next**2",
        "1 - h_next",
    ),
    Misconception(
        "last sequence alone",
        "rnn_step_backward",
        "Each sequence overwrites what the one before said about the input weights. All of them share these.",
        "da.T @ x",
        "da[-1:].T @ x[-1:]",
    ),
    Misconception(
        "bias averaged over the batch",
        "rnn_step_backward",
        "All sequences share the biases, so what they say about them is added up. Nothing asks for a mean.",
        "da.sum(axis=0)",
        "da.mean(axis=0)",
    ),
    Misconception(
        "a lone axis squeezed",
        "rnn_step_backward",
        "Where there is only one state, the gradient of the bias loses its axis.",
        "da.sum(axis=0)",
        "da.sum(axis=0).squeeze()",
    ),
    # Unrolled
    Misconception(
        "every step from the initial state",
        "rnn_forward",
        "Each step starts from the initial state again, so the network remembers nothing but the last input.",
        "x[:, t], h, U",
        "x[:, t], h0, U",
    ),
    Misconception(
        "initial state forgotten",
        "rnn_forward",
        "The first step does not start from the state that was given. It may be something else than zero.",
        "h, states = h0, []",
        "h, states = np.zeros_like(h0), []",
    ),
    Misconception(
        "time along the first axis",
        "rnn_forward",
        "The loop runs over sequences and not over time. Try it with as many sequences as steps: nothing complains.",
        """    for t in range(x.shape[1]):
        h = rnn_step_forward(x[:, t], h, U, V, b)
""",
        """    for t in range(x.shape[0]):
        h = rnn_step_forward(x[t], h, U, V, b)
""",
    ),
    Misconception(
        "states before the steps",
        "rnn_forward",
        "Each place holds the state that the step began with. The last one, which knows most, is missing.",
        """        h = rnn_step_forward(x[:, t], h, U, V, b)
        states.append(h)
""",
        """        states.append(h)
        h = rnn_step_forward(x[:, t], h, U, V, b)
""",
    ),
    Misconception(
        "kept in double precision",
        "rnn_forward",
        "The states are stored in an array whose dtype nobody chose, and single precision turns into double.",
        "    return np.stack(states, axis=1)",
        """    h = np.zeros((*x.shape[:2], len(b)))
    h[:] = np.stack(states, axis=1)
    return h""",
    ),
    Misconception(
        "the same array at every step",
        "rnn_forward",
        "Your list holds one array many times, and every step writes into it. So all states are the last one.",
        """    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_step_forward(x[:, t], h, U, V, b)
""",
        """    h, states = h0.copy(), []
    for t in range(x.shape[1]):
        h[:] = rnn_step_forward(x[:, t], h, U, V, b)
""",
    ),
    Misconception(
        "steps along the first axis",
        "rnn_forward",
        "The states of one step lie together, and the sequences behind. The answer has the sequences first.",
        "np.stack(states, axis=1)",
        "np.stack(states)",
    ),
    Misconception(
        "initial state among the others",
        "rnn_forward",
        "The initial states were given and are no answer. There is one state for each input.",
        "np.stack(states, axis=1)",
        "np.stack([h0, *states], axis=1)",
    ),
    Misconception(
        "loss heard at the last step only",
        "rnn_backward",
        "Only the last state's own gradient is used. Any state may take part in the loss and adds its own on the way.",
        "dh[:, t] + carry",
        "dh[:, t] * (t == x.shape[1] - 1) + carry",
    ),
    Misconception(
        "cut after every step",
        "rnn_backward",
        "What the later steps say about a state never reaches it. Then no weight can learn to remember.",
        "dh[:, t] + carry",
        "dh[:, t]",
        carried=False,
    ),
    Misconception(
        "forwards through time",
        "rnn_backward",
        "The loop runs from the first step to the last. But an earlier state needs to know what the later ones say.",
        "reversed(range(x.shape[1]))",
        "range(x.shape[1])",
    ),
    Misconception(
        "input gradients in the order of the loop",
        "rnn_backward",
        "The gradients of the inputs stand in the order in which the loop found them, and it came from the end.",
        "dx[:, t], carry",
        "dx[:, -1 - t], carry",
    ),
    Misconception(
        "one step short of the beginning",
        "rnn_backward",
        "This is the gradient of the first state that the network computed. The initial one is a step further back.",
        "return dx, carry",
        "return dx, total",
    ),
    Misconception(
        "one step's share of U",
        "rnn_backward",
        "The input weights took part in every step, but only one step's share survives your loop.",
        "dU += dU_t",
        "dU = dU_t",
    ),
    Misconception(
        "state paired with its own gradient",
        "rnn_backward",
        "In each step the recurrent weights met the state before it. You pair their gradient with the state after it.",
        "before[:, t], h[:, t]",
        "h[:, t], h[:, t]",
        carried=False,
    ),
    Misconception(
        "a beginning from zero",
        "rnn_backward",
        "In the first step the recurrent weights met the initial state, which you take for zero.",
        "np.concatenate([h0[:, None], h[:, :-1]], axis=1)",
        "np.concatenate([0 * h0[:, None], h[:, :-1]], axis=1)",
        carried=False,
    ),
    Misconception(
        "bias gradient added to itself",
        "rnn_backward",
        "In every step the sum for the bias is added to itself, and the later steps count many times.",
        "db += db_t",
        "db += db + db_t",
    ),
    Misconception(
        "written into the caller's gradient",
        "rnn_backward",
        "The gradient that you were given belongs to the caller, who may want to use it again. You changed it.",
        "        total = dh[:, t] + carry",
        """        dh[:, t] += carry
        total = dh[:, t]""",
    ),
    Misconception(
        "round to the last state",
        "rnn_backward",
        "Before the first step you find the last state: in Python, index -1 is the end. Another state stood there.",
        "np.concatenate([h0[:, None], h[:, :-1]], axis=1)",
        "np.roll(h, 1, axis=1) + 0 * h0[:, None]",
        carried=False,
    ),
    Misconception(
        "one step's share of V",
        "rnn_backward",
        "The recurrent weights took part in every step, but only one step's share survives your loop.",
        "dV += dV_t",
        "dV = dV_t",
    ),
    Misconception(
        "averaged over the steps",
        "rnn_backward",
        "You average what the steps say about the parameters. They were used in each of them, so it is a sum.",
        "return dx, carry, dU, dV, db",
        "return dx, carry, dU / x.shape[1], dV / x.shape[1], db / x.shape[1]",
    ),
    Misconception(
        "nothing for the initial state",
        "rnn_backward",
        "The initial states get no gradient. They have influenced the first step, and through it all others.",
        "return dx, carry",
        "return dx, 0 * carry",
    ),
    Misconception(
        "stopped where nothing arrives",
        "rnn_backward",
        "You stop at the first step to which no gradient comes. Earlier states may have gradients of their own.",
        """        total = dh[:, t] + carry
""",
        """        total = dh[:, t] + carry
        if not total.any():
            break
""",
    ),
    # The loss
    Misconception(
        "averaged over the targets",
        "sequence_loss",
        "You divide by the number of targets. Here each sequence counts once, however many targets it has.",
        """    loss = float((error**2).sum() / len(h))
    doutput = 2 * error / len(h)
""",
        """    count = max(mask.sum(), 1)
    loss = float((error**2).sum() / count)
    doutput = (2 * error / count).astype(h.dtype)
""",
    ),
    Misconception(
        "averaged over those with a target",
        "sequence_loss",
        "A sequence without any target adds nothing to the sum, but it is one of the batch all the same.",
        """    loss = float((error**2).sum() / len(h))
    doutput = 2 * error / len(h)
""",
        """    count = max(int(mask.any(axis=1).sum()), 1)
    loss = float((error**2).sum() / count)
    doutput = 2 * error / count
""",
    ),
    Misconception(
        "gradient where there is no target",
        "sequence_loss",
        "The loss skips the steps without a target, but its gradients listen to the numbers that stand there.",
        "2 * error / len(h)",
        "2 * (h @ W.T - target) / len(h)",
    ),
    Misconception(
        "square differentiated carelessly",
        "sequence_loss",
        "Both gradients are wrong by the same factor. Differentiate a square once more, slowly.",
        "2 * error / len(h)",
        "error / len(h)",
    ),
    Misconception(
        "distances, not their squares",
        "sequence_loss",
        "The loss adds up distances between outputs and targets. It should add up their squares.",
        "(error**2).sum() / len(h)",
        "np.sqrt((error**2).sum(axis=-1)).sum() / len(h)",
    ),
    Misconception(
        "averaged over the outputs",
        "sequence_loss",
        "The squares of one output vector are averaged. Here they are added up; the only mean is over the sequences.",
        "(error**2).sum() / len(h)",
        "(error**2).mean(axis=-1).sum() / len(h)",
    ),
    Misconception(
        "averaged over the steps as well",
        "sequence_loss",
        "You divide by sequences and by steps. The loss is summed over time.",
        """    loss = float((error**2).sum() / len(h))
    doutput = 2 * error / len(h)
""",
        """    loss = float((error**2).sum() / mask.size)
    doutput = 2 * error / mask.size
""",
    ),
    Misconception(
        "summed over the sequences",
        "sequence_loss",
        "Loss and gradients grow with the number of sequences. Over those it was to be a mean.",
        """    loss = float((error**2).sum() / len(h))
    doutput = 2 * error / len(h)
""",
        """    loss = float((error**2).sum())
    doutput = 2 * error
""",
    ),
    Misconception(
        "targets everywhere",
        "sequence_loss",
        "Every step counts here. Where the mask is false, the number that stands there means nothing.",
        "(h @ W.T - target) * mask[..., None]",
        "(h @ W.T - target) * np.ones_like(mask)[..., None]",
    ),
    Misconception(
        "square written out",
        "sequence_loss",
        "The square of the difference is written out as three terms. Near the target they are large and nearly cancel.",
        "float((error**2).sum() / len(h))",
        """float(
        (((h @ W.T) ** 2 - 2 * (h @ W.T) * np.where(mask[..., None], target, 0)) * mask[..., None]).sum() / len(h)
        + (np.where(mask[..., None], target, 0) ** 2).sum() / len(h)
    )""",
    ),
    Misconception(
        "averaged over the outputs, gradients too",
        "sequence_loss",
        "Each output vector's squares are averaged. Here they are added up; the only mean is over the sequences.",
        """    loss = float((error**2).sum() / len(h))
    doutput = 2 * error / len(h)
""",
        """    loss = float((error**2).mean(axis=-1).sum() / len(h))
    doutput = 2 * error / (len(h) * len(W))
""",
    ),
    Misconception(
        "squared before the mask",
        "sequence_loss",
        "You square first and mask afterwards. The square of what stands where there is no target may overflow.",
        "float((error**2).sum() / len(h))",
        "float((((h @ W.T - target) ** 2) * mask[..., None]).sum() / len(h))",
    ),
    # Reach
    Misconception(
        "last input first",
        "linear_recurrence_coefficients",
        "Which input has been through the recurrent weights most often? Yours are listed from the other end.",
        "coefficients[::-1]",
        "coefficients",
    ),
    Misconception(
        "powers entry by entry",
        "linear_recurrence_coefficients",
        "The power of a matrix is not the matrix of the powers of its entries.",
        "V @ coefficients[-1]",
        "V ** len(coefficients) @ U",
    ),
    Misconception(
        "once too often",
        "linear_recurrence_coefficients",
        "The newest input reaches the state directly. In yours it goes through the recurrent weights first.",
        "[U]",
        "[V @ U]",
    ),
    Misconception(
        "weights turned round",
        "linear_recurrence_coefficients",
        "V acts the wrong way round. It is square, so its shape will not tell you.",
        "V @ coefficients[-1]",
        "V.T @ coefficients[-1]",
    ),
    Misconception(
        "all inputs alike",
        "linear_recurrence_coefficients",
        "Every input goes through the recurrent weights equally often here. The later ones have a shorter way.",
        "np.stack(coefficients[::-1])",
        "np.stack(t * coefficients[-1:])",
    ),
    Misconception(
        "coefficients added up",
        "linear_recurrence_coefficients",
        "Each coefficient contains those of the later inputs. Every input has a way of its own.",
        "np.stack(coefficients[::-1])",
        "np.cumsum(coefficients, axis=0, dtype=np.result_type(U, V))[::-1]",
    ),
    Misconception(
        "powers by eigenvectors",
        "linear_recurrence_coefficients",
        "You take powers by way of the eigenvectors. Not every matrix has enough of them.",
        """    coefficients = [U]
    for _ in range(t - 1):
        coefficients.append(V @ coefficients[-1])
""",
        """    values, vectors = np.linalg.eig(V)
    inside = np.linalg.inv(vectors) @ U
    coefficients = [((vectors * values**power) @ inside).real.astype(U.dtype) for power in range(t)]
""",
    ),
    Misconception(
        "slope on the wrong side",
        "state_jacobian",
        "In a step the nonlinearity comes after the weights, so in the chain of factors its slope stands before V.",
        "(1 - later**2)[:, None] * (V @ jacobian)",
        "V @ ((1 - later**2)[:, None] * jacobian)",
    ),
    Misconception(
        "slopes of the states before",
        "state_jacobian",
        "The slopes belong to other states than you take them at: each step needs that of the state it produces.",
        "h[t - k + 1 : t + 1]",
        "h[t - k : t]",
    ),
    Misconception(
        "slopes along the columns",
        "state_jacobian",
        "Broadcasting lays the slopes along the wrong axis: the slope of a state belongs to its row.",
        "(1 - later**2)[:, None] * (V @ jacobian)",
        "(1 - later**2) * (V @ jacobian)",
    ),
    Misconception(
        "factors in the wrong order",
        "state_jacobian",
        "Matrices do not commute. Think about which step is the first to act on a change of the early state.",
        "(1 - later**2)[:, None] * (V @ jacobian)",
        "jacobian @ ((1 - later**2)[:, None] * V)",
    ),
    Misconception(
        "weights alone",
        "state_jacobian",
        "This is the Jacobian of a network without nonlinearity. How steep tanh is depends on the state.",
        "(1 - later**2)[:, None] * (V @ jacobian)",
        "V @ jacobian",
        carried=False,
    ),
    Misconception(
        "before the beginning",
        "state_jacobian",
        "A lag that reaches before the initial state gets an answer. Python takes negative indices for the other end.",
        "not 0 <= k <= t",
        "k < 0",
    ),
    Misconception(
        "from the last state whatever the time",
        "state_jacobian",
        "The factors are those before the last state of all. The question names the time of the later state.",
        "h[t - k + 1 : t + 1]",
        "h[len(h) - k :]",
    ),
    Misconception(
        "squashed twice in the slopes",
        "state_jacobian",
        "The states have been through tanh already. Its slope can be had from them without applying it once more.",
        "(1 - later**2)",
        "(1 - np.tanh(later) ** 2)",
        carried=False,
    ),
    Misconception(
        "recurrent weights turned round",
        "state_jacobian",
        "This is how a gradient goes back. The Jacobian tells how a change of the state goes forward.",
        "(V @ jacobian)",
        "(V.T @ jacobian)",
    ),
    Misconception(
        "all entries together",
        "jacobian_norms",
        "The norm of all entries as one vector is larger than the most that the matrix can stretch one.",
        "k), 2)",
        "k))",
    ),
    Misconception(
        "product of norms",
        "jacobian_norms",
        "The norm of a product may be far below the product of the norms: this is a bound, not what was asked.",
        """    lags = range(max_lag + 1)
    return np.array([np.linalg.norm(state_jacobian(h, V, len(h) - 1, k), 2) for k in lags])""",
        """    T = len(h) - 1
    factors = [np.linalg.norm(state_jacobian(h, V, T - k, 1), 2) for k in range(max_lag)]
    return np.cumprod([1.0, *factors])""",
    ),
    Misconception(
        "lags from the beginning",
        "jacobian_norms",
        "You look from later and later states at the initial one. It is the last state whose past is asked for.",
        "len(h) - 1, k",
        "k, k",
    ),
    Misconception(
        "eigenvalue for the norm",
        "jacobian_norms",
        "The largest eigenvalue says what many steps do. How far one matrix can stretch a vector is something else.",
        "np.linalg.norm(state_jacobian(h, V, len(h) - 1, k), 2)",
        "np.abs(np.linalg.eigvals(state_jacobian(h, V, len(h) - 1, k))).max()",
    ),
    Misconception(
        "largest lag missed",
        "jacobian_norms",
        "The last lag is missing. With the lag of zero there is one norm more than the largest lag says.",
        "range(max_lag + 1)",
        "range(max_lag)",
    ),
    Misconception(
        "lag of zero left out",
        "jacobian_norms",
        "Your first norm belongs to the state one step back. The list begins with the last state itself.",
        "range(max_lag + 1)",
        "range(1, max_lag + 1)",
    ),
    Misconception(
        "one step at each lag",
        "jacobian_norms",
        "Each norm looks at a single step, so many steps ago. All the steps from there to the end belong to it.",
        "state_jacobian(h, V, len(h) - 1, k)",
        "state_jacobian(h, V, len(h) - max(k, 1), min(k, 1))",
    ),
    Misconception(
        "norm for radius",
        "spectral_radius",
        "This is how far the matrix can stretch a vector once. Its powers may behave quite differently.",
        "np.abs(np.linalg.eigvals(V)).max()",
        "np.linalg.norm(V, 2)",
    ),
    Misconception(
        "largest real part",
        "spectral_radius",
        "An eigenvalue may be negative, or complex. What counts is how far from zero it lies.",
        "np.abs(np.linalg.eigvals(V)).max()",
        "np.linalg.eigvals(V).real.max()",
    ),
    Misconception(
        "taken for symmetric",
        "spectral_radius",
        "The routine for symmetric matrices reads one half of the matrix and believes that the other half is the same.",
        "eigvals(V)",
        "eigvalsh(V)",
    ),
    Misconception(
        "imaginary parts dropped",
        "spectral_radius",
        "You look at how far an eigenvalue lies to the left or right. It may lie above or below, too.",
        "np.abs(np.linalg.eigvals(V))",
        "np.abs(np.linalg.eigvals(V).real)",
    ),
    Misconception(
        "largest entry of the matrix",
        "spectral_radius",
        "This is the largest entry. The eigenvalues of a matrix are other numbers.",
        "np.linalg.eigvals(V)",
        "V",
        carried=False,
    ),
    Misconception(
        "mean of the eigenvalues",
        "spectral_radius",
        "You average over the eigenvalues. For large powers one of them outgrows all others.",
        "np.abs(np.linalg.eigvals(V)).max()",
        "np.abs(np.linalg.eigvals(V)).mean()",
    ),
    Misconception(
        "complex numbers in an order",
        "spectral_radius",
        "The maximum of complex numbers compares real parts first. It is the absolute values that are to be compared.",
        "np.abs(np.linalg.eigvals(V)).max()",
        "max(abs(np.linalg.eigvals(V).max()), abs(np.linalg.eigvals(V).min()))",
    ),
    Misconception(
        "squares beyond single precision",
        "spectral_radius",
        "The squares of real and imaginary parts may be beyond the range of single precision, though they are not.",
        "np.abs(np.linalg.eigvals(V)).max()",
        "np.sqrt(np.linalg.eigvals(V).real ** 2 + np.linalg.eigvals(V).imag ** 2).max()",
    ),
    Misconception(
        "largest entry",
        "scale_to_radius",
        "The largest entry of a matrix says little about its powers, and nothing exact about its eigenvalues.",
        "spectral_radius(V)",
        "np.abs(V).max()",
    ),
    Misconception(
        "multiplied by the radius wanted",
        "scale_to_radius",
        "The factor does not ask what radius the matrix has now.",
        "radius / found",
        "radius",
    ),
    Misconception(
        "a radius of zero divides",
        "scale_to_radius",
        "If all eigenvalues are zero, no factor helps. Yours divides by zero and says nothing.",
        """    if found == 0:
        raise ValueError("all eigenvalues are 0, and so are those of every multiple")
    return V * (radius / found)""",
        "    return V * np.divide(radius, found)",
    ),
    Misconception(
        "radius of one whatever is wanted",
        "scale_to_radius",
        "The result always has the radius 1. The caller wants one of their own.",
        "radius / found",
        "1.0 / found",
    ),
    Misconception(
        "factor upside down",
        "scale_to_radius",
        "The larger the radius that is wanted, the smaller yours becomes.",
        "radius / found",
        "found / radius",
    ),
    Misconception(
        "sigmoid as steep as tanh",
        "contraction_bound",
        "The sigmoid is less steep than you take it to be. Find out where it is steepest, and how steep it is there.",
        '"sigmoid": 0.25',
        '"sigmoid": 1.0',
    ),
    Misconception(
        "radius for norm",
        "contraction_bound",
        "A single step can stretch more than the eigenvalues tell. A bound has to hold for every vector.",
        "np.linalg.norm(V, 2)",
        "np.abs(np.linalg.eigvals(V)).max()",
    ),
    Misconception(
        "all entries in the bound",
        "contraction_bound",
        "The root of all squares is larger than the most that the matrix can stretch a vector by.",
        "np.linalg.norm(V, 2)",
        "np.linalg.norm(V)",
    ),
    Misconception(
        "ones stretched again and again",
        "contraction_bound",
        "You stretch a vector of ones again and again. It may have no share in the direction that is stretched most.",
        "    return float(steepest * np.linalg.norm(V, 2))",
        """    v, norm = np.ones(len(V)), 0.0
    for _ in range(1000):
        w = V.T @ (V @ v)
        length = np.linalg.norm(w)
        if length == 0:
            return 0.0
        v = w / length
        norm = np.linalg.norm(V @ v)
    return float(steepest * norm)""",
    ),
    Misconception(
        "largest entry in the bound",
        "contraction_bound",
        "A matrix can stretch a vector by more than its largest entry.",
        "np.linalg.norm(V, 2)",
        "np.abs(V).max()",
    ),
    Misconception(
        "value of the sigmoid for its slope",
        "contraction_bound",
        "One half is what the sigmoid gives at zero. How steep it is there is another question.",
        '"sigmoid": 0.25',
        '"sigmoid": 0.5',
    ),
    # Clipping
    Misconception(
        "a new name in the loop",
        "clip_by_value",
        "The clipped array got the name of the loop's variable and was forgotten. What you return was never changed.",
        "    return {name: g.clip(-limit, limit) for name, g in grads.items()}",
        """    for g in grads.values():
        g = np.clip(g, -limit, limit)
    return dict(grads)""",
    ),
    Misconception(
        "clipped from above",
        "clip_by_value",
        "Large negative entries pass untouched.",
        "g.clip(-limit, limit)",
        "np.minimum(g, limit)",
    ),
    Misconception(
        "scaled to the largest entry",
        "clip_by_value",
        "Every entry shrinks because one was too large. That is another way of clipping, with a name of its own.",
        "g.clip(-limit, limit)",
        "g * min(1.0, limit / np.abs(g).max())",
    ),
    Misconception(
        "a negative limit",
        "clip_by_value",
        "No interval reaches from a positive number up to a negative one. A limit below zero has no meaning.",
        "limit <= 0",
        "limit == 0",
    ),
    Misconception(
        "large entries dropped",
        "clip_by_value",
        "What is too large becomes zero here. It was to become as large as is allowed.",
        "g.clip(-limit, limit)",
        "g * (np.abs(g) <= limit)",
    ),
    Misconception(
        "signs lost",
        "clip_by_value",
        "All your gradients are positive. The limit is about their absolute value, the sign stays.",
        "g.clip(-limit, limit)",
        "np.minimum(np.abs(g), limit)",
    ),
    Misconception(
        "nothing below zero",
        "clip_by_value",
        "Negative entries become zero. They may go down as far as the others may go up.",
        "g.clip(-limit, limit)",
        "g.clip(0, limit)",
    ),
    Misconception(
        "minus infinity on the other side",
        "clip_by_value",
        "Both infinities become the same number. One of them is negative.",
        "g.clip(-limit, limit)",
        "np.where(np.isinf(g), limit, g.clip(-limit, limit)).astype(g.dtype)",
    ),
    Misconception(
        "divided by infinity",
        "clip_by_value",
        "You divide each entry by how much too large it is. Of an infinite entry nothing is left that is a number.",
        "g.clip(-limit, limit)",
        "g / np.maximum(np.abs(g) / limit, 1)",
    ),
    Misconception(
        "limit looked at in the loop",
        "clip_by_value",
        "Where there is no gradient, nobody looks at the limit.",
        "    if limit <= 0:",
        "    if limit <= 0 and grads:",
    ),
    Misconception(
        "every array on its own",
        "clip_by_norm",
        "Each array is shortened by itself. Together they are one vector, and it changes its direction.",
        "{name: scale * g for name, g in grads.items()}",
        "{name: g * min(1.0, max_norm / (np.linalg.norm(g) or 1.0)) for name, g in grads.items()}",
    ),
    Misconception(
        "short gradients lengthened",
        "clip_by_norm",
        "A gradient that is short enough is blown up. Clipping only ever makes it shorter.",
        "min(1.0, max_norm / total_norm)",
        "max_norm / total_norm",
    ),
    Misconception(
        "norms added up",
        "clip_by_norm",
        "The length of a vector is not the sum of its parts' lengths: a diagonal is shorter than its two sides.",
        "np.sqrt(sum(np.square(g, dtype=np.float64).sum() for g in grads.values()))",
        "sum(np.sqrt(np.square(g, dtype=np.float64).sum()) for g in grads.values())",
    ),
    Misconception(
        "clipped entry by entry",
        "clip_by_norm",
        "Entries were cut off one by one. The norm of the whole is something else, and so is the direction now.",
        "scale * g for",
        "g.clip(-max_norm, max_norm) for",
    ),
    Misconception(
        "norm after clipping",
        "clip_by_norm",
        "The norm that you report is never larger than the limit. Whoever watches for explosions wants the one before.",
        "}, total_norm",
        "}, min(total_norm, max_norm)",
    ),
    Misconception(
        "squares in single precision",
        "clip_by_norm",
        "The square of a large number may be beyond the range of single precision, though the number itself is not.",
        "np.square(g, dtype=np.float64)",
        "np.square(g)",
    ),
    Misconception(
        "a negative norm",
        "clip_by_norm",
        "No gradient is shorter than nothing. With a negative limit, yours turns round and climbs.",
        "max_norm <= 0 or not np.isfinite(total_norm)",
        "not np.isfinite(total_norm)",
    ),
    Misconception(
        "not a number, and onwards",
        "clip_by_norm",
        "One entry that is not finite spoils the norm, and through it every parameter. Better say so at once.",
        "max_norm <= 0 or not np.isfinite(total_norm)",
        "max_norm <= 0",
    ),
    Misconception(
        "root forgotten",
        "clip_by_norm",
        "This is the square of the length. It is about right only for gradients whose length is near 1.",
        "float(np.sqrt(sum(np.square(g, dtype=np.float64).sum() for g in grads.values())))",
        "float(sum(np.square(g, dtype=np.float64).sum() for g in grads.values()))",
    ),
    Misconception(
        "longest array alone",
        "clip_by_norm",
        "You take the length of the longest array. All of them together are one vector, and that is longer.",
        "np.sqrt(sum(np.square(g, dtype=np.float64).sum() for g in grads.values()))",
        "np.sqrt(max(np.square(g, dtype=np.float64).sum() for g in grads.values()))",
    ),
    Misconception(
        "mean of the squares",
        "clip_by_norm",
        "You average the squares. A length adds them up, however many there are.",
        "sum(np.square(g, dtype=np.float64).sum() for g in grads.values())",
        "np.mean(np.concatenate([np.square(g, dtype=np.float64).ravel() for g in grads.values()]))",
    ),
    Misconception(
        "short enough before the limit is looked at",
        "clip_by_norm",
        "A gradient that is short enough is returned at once, and nobody looks whether the limit makes sense.",
        "    if max_norm <= 0 or",
        """    if total_norm <= max_norm:
        return dict(grads), total_norm
    if max_norm <= 0 or""",
    ),
    # Checking
    Misconception(
        "forward difference",
        "numerical_gradient",
        "You step to one side only. The mistake of that shrinks with the step, not with its square.",
        """        point[i] = centre - h
        below = np.array(f(point))
        point[i] = centre
        dx[i] = np.sum(dy * (above - below)) / (2 * h)
""",
        """        point[i] = centre
        below = np.array(f(point))
        dx[i] = np.sum(dy * (above - below)) / h
""",
    ),
    Misconception(
        "divided by half the distance",
        "numerical_gradient",
        "Look once more at how far apart the two points are at which the function was taken.",
        "/ (2 * h)\n    return",
        "/ h\n    return",
    ),
    Misconception(
        "weights of the outputs forgotten",
        "numerical_gradient",
        "All outputs count the same here. How much each one matters was given to you.",
        "dy * (above - below)",
        "above - below",
    ),
    Misconception(
        "a flat copy is perturbed",
        "numerical_gradient",
        "You change a copy, and the function reads the original. So it never notices.",
        """    for i in np.ndindex(x.shape):
        centre = point[i]
        point[i] = centre + h
        above = np.array(f(point))  # a copy: it could be a view of what is changed next
        point[i] = centre - h
        below = np.array(f(point))
        point[i] = centre
        dx[i] =""",
        """    flat = point.flatten()
    for i in range(flat.size):
        centre = flat[i]
        flat[i] = centre + h
        above = np.array(f(point))
        flat[i] = centre - h
        below = np.array(f(point))
        flat[i] = centre
        dx.flat[i] =""",
    ),
    Misconception(
        "a copy only now and then",
        "numerical_gradient",
        "Flattening an array gives a view or a copy, as its memory allows. In a transposed one you change a copy.",
        """    for i in np.ndindex(x.shape):
        centre = point[i]
        point[i] = centre + h
        above = np.array(f(point))  # a copy: it could be a view of what is changed next
        point[i] = centre - h
        below = np.array(f(point))
        point[i] = centre
        dx[i] =""",
        """    flat = point.reshape(-1)
    for i in range(flat.size):
        centre = flat[i]
        flat[i] = centre + h
        above = np.array(f(point))
        flat[i] = centre - h
        below = np.array(f(point))
        flat[i] = centre
        dx.flat[i] =""",
    ),
    Misconception(
        "both sides in one place",
        "numerical_gradient",
        "What the function returned may be a view of what you change next. Then the first result changes, too.",
        "above = np.array(f(point))",
        "above = f(point)",
    ),
    Misconception(
        "in single precision",
        "numerical_gradient",
        "In single precision the difference drowns in rounding errors. A smaller step makes it worse.",
        "x.astype(np.float64)",
        "x.copy()",
    ),
    Misconception(
        "a step of its own",
        "numerical_gradient",
        "The step that the caller chose makes no difference.",
        "    dx = np.zeros(x.shape)",
        """    h = 1e-5
    dx = np.zeros(x.shape)""",
    ),
    Misconception(
        "step relative to the entry",
        "numerical_gradient",
        "The step grows with the entry. It was meant as it is, the same for all of them.",
        """        point[i] = centre + h
        above = np.array(f(point))  # a copy: it could be a view of what is changed next
        point[i] = centre - h
        below = np.array(f(point))
        point[i] = centre
        dx[i] = np.sum(dy * (above - below)) / (2 * h)
""",
        """        step = h * max(1.0, abs(centre))
        point[i] = centre + step
        above = np.array(f(point))
        point[i] = centre - step
        below = np.array(f(point))
        point[i] = centre
        dx[i] = np.sum(dy * (above - below)) / (2 * step)
""",
    ),
    Misconception(
        "entry not put back",
        "numerical_gradient",
        "An entry that was changed stays changed, and the next one is measured at another point.",
        """        point[i] = centre
        dx[i] =""",
        "        dx[i] =",
    ),
    Misconception(
        "backward difference",
        "numerical_gradient",
        "You look to one side only. The mistake of that shrinks with the step, not with its square.",
        """        point[i] = centre + h
        above = np.array(f(point))  # a copy: it could be a view of what is changed next
        point[i] = centre - h
        below = np.array(f(point))
        point[i] = centre
        dx[i] = np.sum(dy * (above - below)) / (2 * h)
""",
        """        above = np.array(f(point))
        point[i] = centre - h
        below = np.array(f(point))
        point[i] = centre
        dx[i] = np.sum(dy * (above - below)) / h
""",
    ),
    Misconception(
        "relative entry by entry",
        "gradient_error",
        "Each difference is compared with its own entry. Where that is nearly zero, a rounding error looks large.",
        "float(np.abs(a - b).max() / largest)",
        "float(np.nan_to_num(np.abs(a - b) / np.maximum(np.abs(a), np.abs(b))).max())",
    ),
    Misconception(
        "a little added below",
        "gradient_error",
        "A small number in the denominator makes two tiny gradients look alike, however different they are.",
        "max() / largest)",
        "max() / (largest + 1e-8))",
    ),
    Misconception(
        "relative to the first",
        "gradient_error",
        "Only one of the two is asked how large it is. Exchange them, and the error should not change.",
        "max(np.abs(a).max(), np.abs(b).max())",
        "np.abs(a).max()",
    ),
    Misconception(
        "difference with its sign",
        "gradient_error",
        "A difference may be negative, and then it may be as bad.",
        "np.abs(a - b).max()",
        "(a - b).max()",
    ),
    Misconception(
        "zero by zero",
        "gradient_error",
        "Two gradients of zeros agree perfectly, and you divide zero by zero.",
        "float(np.abs(a - b).max() / largest) if largest else 0.0",
        "float(np.float64(np.abs(a - b).max()) / largest)",
    ),
    Misconception(
        "lengths for largest entries",
        "gradient_error",
        "You compare the lengths of whole vectors. The definition looks at the largest entry of each.",
        """    largest = max(np.abs(a).max(), np.abs(b).max())
    return float(np.abs(a - b).max() / largest) if largest else 0.0
""",
        """    largest = max(np.linalg.norm(a), np.linalg.norm(b))
    return float(np.linalg.norm(a - b) / largest) if largest else 0.0
""",
    ),
    Misconception(
        "both entries added below",
        "gradient_error",
        "You divide by the sum of both. Two gradients that agree in size then look twice as near.",
        "max(np.abs(a).max(), np.abs(b).max())",
        "np.abs(a).max() + np.abs(b).max()",
    ),
    Misconception(
        "mean of the differences",
        "gradient_error",
        "You average the differences, and a single wrong entry nearly vanishes among many right ones.",
        "np.abs(a - b).max()",
        "np.abs(a - b).mean()",
    ),
    Misconception(
        "difference without its scale",
        "gradient_error",
        "Your error grows with the gradients. It was to be relative to how large they are.",
        "np.abs(a - b).max() / largest",
        "np.abs(a - b).max()",
    ),
    Misconception(
        "a floor that float32 does not know",
        "gradient_error",
        "You keep the denominator above a tiny number, which in single precision is zero.",
        "float(np.abs(a - b).max() / largest) if largest else 0.0",
        "float(np.abs(a - b).max() / np.maximum(largest, 1e-300))",
    ),
    Misconception(
        "next to nothing added below",
        "gradient_error",
        "A tiny number in the denominator is not tiny beside gradients that are smaller still.",
        "max() / largest) if largest else 0.0",
        "max() / (largest + 1e-12))",
    ),
    Misconception(
        "first gradient of zeros",
        "gradient_error",
        "Where the first gradient is zero you see no error, whatever the second one is.",
        "if largest else 0.0",
        "if a.any() else 0.0",
    ),
    # Training
    Misconception(
        "windows that begin from zero",
        "truncated_bptt",
        "The forward pass was not cut. A window began with the state that the one before had ended with.",
        "h[:, start - 1] if start else h0",
        "0 * h0 if start else h0",
    ),
    Misconception(
        "windows without effect",
        "truncated_bptt",
        "The gradient flows through all steps, as though there were no windows.",
        "    for start in",
        """    window = x.shape[1]
    for start in""",
    ),
    Misconception(
        "last window alone",
        "truncated_bptt",
        "Only one window's gradient is left at the end. What the others found is lost.",
        """        dU += dU_w
        dV += dV_w
        db += db_w
""",
        "        dU, dV, db = dU_w, dV_w, db_w\n",
    ),
    Misconception(
        "a look back from every step",
        "truncated_bptt",
        "Each step looks back over as many steps as a window has. Windows lie side by side; a step is in one of them.",
        """    for start in range(0, x.shape[1], window):
        steps = np.s_[:, start : start + window]
        before = h[:, start - 1] if start else h0
        _, _, dU_w, dV_w, db_w = rnn_backward(dh[steps], x[steps], before, h[steps], U, V)
""",
        """    for end in range(x.shape[1]):
        start = max(0, end - window + 1)
        steps = np.s_[:, start : end + 1]
        before = h[:, start - 1] if start else h0
        last = np.zeros_like(dh[steps])
        last[:, -1] = dh[:, end]
        _, _, dU_w, dV_w, db_w = rnn_backward(last, x[steps], before, h[steps], U, V)
""",
    ),
    Misconception(
        "steps left over",
        "truncated_bptt",
        "The last steps do not fill a window, and so nobody listens to them.",
        "range(0, x.shape[1], window)",
        "range(0, x.shape[1] - window + 1, window)",
    ),
    Misconception(
        "windows laid from the end",
        "truncated_bptt",
        "The windows are laid out from the end of the sequence. The first step begins the first window.",
        """    for start in range(0, x.shape[1], window):
        steps = np.s_[:, start : start + window]
""",
        """    edges = [0, *range(x.shape[1] % window or window, x.shape[1] + 1, window)]
    for start, stop in zip(edges, edges[1:]):
        steps = np.s_[:, start:stop]
""",
    ),
    Misconception(
        "a rest of nothing",
        "truncated_bptt",
        "Where nothing is left over, your last window, counted from the end, is the whole sequence once more.",
        """    for start in range(0, x.shape[1], window):
        steps = np.s_[:, start : start + window]
""",
        """    T = x.shape[1]
    windows = [(start, start + window) for start in range(0, T - window + 1, window)]
    for start, stop in [*windows, (-(T % window) % T, T)]:
        steps = np.s_[:, start:stop]
""",
    ),
    Misconception(
        "each window from the initial state",
        "truncated_bptt",
        "Every window begins with the initial state. The forward pass was not cut: look up which state came before.",
        "h[:, start - 1] if start else h0",
        "h0",
    ),
    Misconception(
        "a state too late",
        "truncated_bptt",
        "A window begins with the state that its first step has produced. It needs the one before.",
        "h[:, start - 1] if start else h0",
        "h[:, start] if start else h0",
    ),
    Misconception(
        "windows averaged",
        "truncated_bptt",
        "You average over the windows. Their gradients are added up.",
        "    return dU, dV, db",
        "    count = -(-x.shape[1] // window)\n    return dU / count, dV / count, db / count",
    ),
    Misconception(
        "windows that overlap by a step",
        "truncated_bptt",
        "Each window has a step more than it should, and shares it with the next one.",
        "start : start + window]",
        "start : start + window + 1]",
    ),
    Misconception(
        "windows of about equal length",
        "truncated_bptt",
        "You make the windows about equally long. All but the last one have the length that was asked for.",
        """    for start in range(0, x.shape[1], window):
        steps = np.s_[:, start : start + window]
""",
        """    for part in np.array_split(np.arange(x.shape[1]), -(-x.shape[1] // window)):
        start = part[0]
        steps = np.s_[:, start : part[-1] + 1]
""",
    ),
    Misconception(
        "gradient not clipped",
        "train",
        "The gradient goes to Adam as long as it was. Adam hides that in the first step, but not for long.",
        'clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)',
        '({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)',
    ),
    Misconception(
        "output weights not in the norm",
        "train",
        "The output weights are left out of the clipping. All four parameters have one gradient, of one norm.",
        '        grads, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)',
        '        grads = {**clip_by_norm({"U": dU, "V": dV, "b": db}, max_norm)[0], "W": dW}',
    ),
    Misconception(
        "optimizer without memory",
        "train",
        "Adam is told in every step that it is the first. What it returns for the next one is thrown away.",
        "adam_step(params, grads, adam, lr=lr)",
        "adam_step(params, grads, None, lr=lr)",
    ),
    Misconception(
        "memory from step to step",
        "train",
        "A step of training begins with the states that the one before had ended with. Sequences begin at zero.",
        "        losses.append(loss)",
        """        losses.append(loss)
        h0 = states[:, -1]""",
    ),
    Misconception(
        "losses after the steps",
        "train",
        "The losses are those after each step. The first one should tell how bad the beginning was.",
        "losses.append(loss)",
        "losses.append(\n"
        '            sequence_loss(rnn_forward(x, h0, *(params[n] for n in "UVb")), params["W"], target, mask)[0]\n'
        "        )",
    ),
    Misconception(
        "parameters before the last step",
        "train",
        "You return the parameters that the last loss was measured with. A step was taken after that.",
        """        params, adam = adam_step(params, grads, adam, lr=lr)
        losses.append(loss)
    return params,""",
        """        last = params
        params, adam = adam_step(params, grads, adam, lr=lr)
        losses.append(loss)
    return last,""",
    ),
    Misconception(
        "output weights stand still",
        "train",
        "The output weights are never moved. They are trained like the others.",
        '"W": dW, "b": db}, max_norm)',
        '"W": 0 * dW, "b": db}, max_norm)',
    ),
    # PyTorch
    Misconception(
        "bias twice",
        "to_torch",
        "PyTorch adds two biases, and you gave it the same one twice.",
        "rnn.bias_hh_l0.zero_()",
        "rnn.bias_hh_l0.copy_(bias)",
    ),
    Misconception(
        "second bias left to chance",
        "to_torch",
        "PyTorch has a second bias, and draws it at random where nobody sets it.",
        """        rnn.bias_ih_l0.copy_(bias)
        rnn.bias_hh_l0.zero_()
""",
        """        rnn.bias_ih_l0.copy_(bias)
""",
    ),
    Misconception(
        "recurrent weights transposed for PyTorch",
        "to_torch",
        "PyTorch's recurrent weights have rows for the new state and columns for the old one, as V has. It is square.",
        "rnn.weight_hh_l0.copy_(weight_hh)",
        "rnn.weight_hh_l0.copy_(weight_hh.T)",
    ),
    Misconception(
        "time first",
        "to_torch",
        "The module takes the first axis for time. It does so unless it is told otherwise.",
        "batch_first=True, ",
        "",
    ),
    Misconception(
        "precision of PyTorch's choice",
        "to_torch",
        "The module computes in PyTorch's default precision, whatever the parameters came in.",
        ", dtype=weight_ih.dtype",
        "",
    ),
    Misconception(
        "memory shared with the arrays",
        "to_torch",
        "Module and arrays share their memory: training the one changes the others.",
        """    weight_ih, weight_hh, bias = (torch.tensor(array) for array in (U, V, b))
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True, dtype=weight_ih.dtype)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(weight_ih)
        rnn.weight_hh_l0.copy_(weight_hh)
        rnn.bias_ih_l0.copy_(bias)
        rnn.bias_hh_l0.zero_()
""",
        """    weight_ih, weight_hh, bias = (nn.Parameter(torch.from_numpy(array)) for array in (U, V, b))
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True, dtype=weight_ih.dtype)
    rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0 = weight_ih, weight_hh, bias
    nn.init.zeros_(rnn.bias_hh_l0)
""",
    ),
    Misconception(
        "ReLU for tanh",
        "to_torch",
        "The module squashes with another function than the formula.",
        "batch_first=True, ",
        'batch_first=True, nonlinearity="relu", ',
    ),
    Misconception(
        "bias left behind",
        "to_torch",
        "The weights arrive and the biases do not.",
        "rnn.bias_ih_l0.copy_(bias)",
        "rnn.bias_ih_l0.zero_()",
    ),
    Misconception(
        "second bias frozen",
        "to_torch",
        "The second bias requires no gradient. The docstring asks it of all parameters.",
        """    return rnn
""",
        """    rnn.bias_hh_l0.requires_grad_(False)
    return rnn
""",
    ),
    Misconception(
        "one memory for both biases",
        "to_torch",
        "Both biases lie in the same memory: what is written into one of them is in the other one, too.",
        """        rnn.bias_ih_l0.copy_(bias)
        rnn.bias_hh_l0.zero_()
""",
        """        rnn.bias_ih_l0.copy_(bias / 2)
        rnn.bias_hh_l0.data = rnn.bias_ih_l0.data
""",
    ),
    Misconception(
        "a loss at every step",
        "state_gradient_norms",
        "Every state has a loss of its own here, and what is new hides what has faded. Only the last one should have.",
        "torch.autograd.grad(h, states, dy)",
        "torch.autograd.grad(states, states, [dy] * len(states))",
    ),
    Misconception(
        "ones for the gradient",
        "state_gradient_norms",
        "The loss is taken for the sum of the last state. How it depends on each entry was given to you.",
        "torch.autograd.grad(h, states, dy)",
        "torch.autograd.grad(h.sum(), states)",
    ),
    Misconception(
        "mean of the sequences' norms",
        "state_gradient_norms",
        "Each sequence has its own norm here, and you take the mean. One norm over all entries is asked for.",
        "gradient.norm()",
        "gradient.norm(dim=1).mean()",
    ),
    Misconception(
        "from the last state to the first",
        "state_gradient_norms",
        "The norms are in the order in which the gradient flows, from the end. They should be in the order of time.",
        "        states.append(h)",
        "        states.insert(0, h)",
    ),
    Misconception(
        "gradients left in the cell",
        "state_gradient_norms",
        "A measurement should leave no trace. After yours, the parameters of the cell hold gradients.",
        """        states.append(h)
    return torch.stack([gradient.norm() for gradient in torch.autograd.grad(h, states, dy)])""",
        """        h.retain_grad()
        states.append(h)
    h.backward(dy)
    return torch.stack([state.grad.norm() for state in states])""",
    ),
    Misconception(
        "sequences' norms added up",
        "state_gradient_norms",
        "Each sequence has a norm of its own here, and those are added. One root goes over all entries.",
        "gradient.norm() for",
        "gradient.norm(dim=1).sum() for",
    ),
    Misconception(
        "squares without the root",
        "state_gradient_norms",
        "You return the sums of squares. A norm is the root of that.",
        "gradient.norm() for",
        "(gradient**2).sum() for",
    ),
    Misconception(
        "largest entries of the gradients",
        "state_gradient_norms",
        "You return the largest entry at each step. The norm looks at all of them.",
        "gradient.norm() for",
        "gradient.abs().max() for",
    ),
    Misconception(
        "states shown for their gradients",
        "state_gradient_norms",
        "These are the norms of the states themselves. Asked for is what the loss says about them.",
        "[gradient.norm() for gradient in torch.autograd.grad(h, states, dy)]",
        "[state.norm() + 0 * dy.sum() for state in states]",
    ),
    Misconception(
        "backward into the inputs",
        "state_gradient_norms",
        "You put back the gradients of the cell, but inputs and initial states may be watched as well.",
        """        states.append(h)
    return torch.stack([gradient.norm() for gradient in torch.autograd.grad(h, states, dy)])""",
        """        h.retain_grad()
        states.append(h)
    kept = [None if p.grad is None else p.grad.clone() for p in cell.parameters()]
    h.backward(dy)
    for p, grad in zip(cell.parameters(), kept):
        p.grad = grad
    return torch.stack([state.grad.norm() for state in states])""",
    ),
    Misconception(
        "an argument that requires gradients from now on",
        "state_gradient_norms",
        "You switch an initial state of the caller's to require gradients, in place, and so it does ever after.",
        "    h, states = h0, []",
        "    h, states = h0.requires_grad_(), []",
    ),
    Misconception(
        "slope of tanh whatever the cell",
        "state_gradient_norms",
        "You write out the slope of tanh. The cell may have another nonlinearity.",
        "    return torch.stack([gradient.norm() for gradient in torch.autograd.grad(h, states, dy)])",
        """    gradients = [dy]
    for state in reversed(states[1:]):
        gradients.append(gradients[-1] * (1 - state**2) @ cell.weight_hh)
    return torch.stack([gradient.norm() for gradient in reversed(gradients)])""",
    ),
    Misconception(
        "old gradients added",
        "train_step",
        "Gradients add up in the parameters until somebody clears them. What the last step left counts here, too.",
        "    optimizer.zero_grad()\n",
        "",
    ),
    Misconception(
        "clipped after the step",
        "train_step",
        "The optimizer has already stepped when the gradient is clipped.",
        """    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
""",
        """    optimizer.step()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
""",
    ),
    Misconception(
        "clipped before there is a gradient",
        "train_step",
        "When you clip, the gradient of this step has not been computed yet.",
        """    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
""",
        """    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
""",
    ),
    Misconception(
        "clipped value by value",
        "train_step",
        "The entries of the gradient are clipped one by one, and it changes its direction.",
        "norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
        """norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    nn.utils.clip_grad_value_(model.parameters(), max_norm)""",
    ),
    Misconception(
        "every parameter on its own",
        "train_step",
        "Each parameter's gradient is clipped by its own norm. Together they are one vector, with one norm.",
        "norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
        """norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    for parameter in model.parameters():
        nn.utils.clip_grad_norm_(parameter, max_norm)""",
    ),
    Misconception(
        "norm of what is left",
        "train_step",
        "The norm was measured when the clipping was over, so that it never tells of an explosion.",
        "norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)",
        """nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))""",
    ),
    Misconception(
        "loss after the step",
        "train_step",
        "The loss you report is that of the new parameters. The one whose gradient was used came before.",
        "return loss.item()",
        "return loss_fn(model(x), y).item()",
    ),
    Misconception(
        "prediction and target exchanged",
        "train_step",
        "Prediction and target changed places. Not every loss is the same from both sides.",
        "loss = loss_fn(model(x), y)",
        "loss = loss_fn(y, model(x))",
    ),
    Misconception(
        "a limit of one",
        "train_step",
        "The gradient is clipped to a norm of your own choice. The caller has named one.",
        "clip_grad_norm_(model.parameters(), max_norm)",
        "clip_grad_norm_(model.parameters(), 1.0)",
    ),
    Misconception(
        "training mode by habit",
        "train_step",
        "You switch the model to training mode. It came in the mode in which it is to compute, and to be given back.",
        "    optimizer.zero_grad()\n",
        "    model.train()\n    optimizer.zero_grad()\n",
    ),
    Misconception(
        "no step taken",
        "train_step",
        "Loss and norm are right, and the model is what it was before.",
        "    optimizer.step()\n",
        "",
    ),
    Misconception(
        "each group on its own",
        "train_step",
        "Each group of the optimizer is clipped by itself. All parameters together are one vector, with one norm.",
        """    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
""",
        """    groups = [group["params"] for group in optimizer.param_groups]
    norm = torch.stack([nn.utils.clip_grad_norm_(group, max_norm) for group in groups]).norm()
""",
    ),
    Misconception(
        "old gradients set to zero",
        "train_step",
        "Old gradients become zeros. To the optimizer a gradient of zeros is something else than none.",
        "optimizer.zero_grad()",
        "optimizer.zero_grad(set_to_none=False)",
    ),
)
