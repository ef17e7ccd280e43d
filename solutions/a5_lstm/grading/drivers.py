"""How the questions of assignment 5 are put. Runs beside the student's code as plain source and holds no secret."""

import numpy as np

STEPS, BATCH, LEARNING_RATE = 75, 64, 0.02


def lstm_init(student, input_size, hidden_size, seed, **settings):
    """Draw parameters three times: twice from the same state, once from another."""
    states = (seed, seed, seed + 1)
    return tuple(
        student.lstm_init(input_size, hidden_size, rng=np.random.default_rng(state), **settings) for state in states
    )


def chrono_bias(student, hidden_size, max_lag, seed):
    """Draw biases."""
    return student.chrono_bias(hidden_size, max_lag, rng=np.random.default_rng(seed))


def mask_tokens(student, ids, seed, **settings):
    """Hide words."""
    return student.mask_tokens(ids, rng=np.random.default_rng(seed), **settings)


def mask_tokens_again(student, ids, seed, **settings):
    """Hide words three times: twice from the same state, once from another."""
    states = (seed, seed, seed + 1)
    return tuple(student.mask_tokens(ids, rng=np.random.default_rng(state), **settings) for state in states)


def converted(student, W, b, x, h0, c0):
    """Make a layer, overwrite the arrays that it was made from, and run it in its own precision."""
    import torch

    W, b = W.copy(), b.copy()
    lstm = student.lstm_to_torch(W, b)
    W.fill(0)
    b.fill(0)
    x, h0, c0 = (torch.from_numpy(array).to(lstm.weight_hh_l0.dtype) for array in (x, h0, c0))
    return lstm(x, (h0[None], c0[None]))[0]


def precision(student, W, b, x, h0, c0):
    """Make a layer; an array of no entries shows the dtype of its parameters."""
    return student.lstm_to_torch(W, b).weight_hh_l0[:0]


def packed_final_states(student, x, lengths, state, dy):
    """Build a bidirectional LSTM with the weights in ``state``, sum up the sequences and go back to them."""
    import torch
    from torch import nn

    layers, hidden = sum("weight_hh" in name for name in state) // 2, state["weight_hh_l0"].shape[1]
    lstm = nn.LSTM(x.shape[2], hidden, layers, batch_first=True, bidirectional=True, dtype=torch.float64)
    lstm.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})
    x = torch.from_numpy(x).requires_grad_()
    y = student.packed_final_states(lstm, x, torch.from_numpy(lengths))
    if y.requires_grad:
        y.backward(torch.from_numpy(dy))
    return {"y": y, "gradient": torch.zeros_like(x) if x.grad is None else x.grad}


def masked_word_logits(student, batches):
    """Score the words of several batches, with one untrained model.

    Initial values are the student's choice, and where they are zero all words would have the same scores: shake them.
    """
    import torch

    model = student.MaskedWordModel(20, 16, 32).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
        return tuple(model(torch.from_numpy(ids), torch.from_numpy(lengths)) for ids, lengths in batches)


def masked_word_training(student, train, test):
    """Train a model by the recipe of the stub, then score the hidden words of other sentences."""
    import torch
    import torch.nn.functional as F

    ids, lengths, places, words = (torch.from_numpy(array) for array in train)
    model = student.MaskedWordModel(20, 16, 32)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    rows = torch.arange(BATCH)
    for step in range(STEPS):
        batch = slice(step * BATCH, (step + 1) * BATCH)
        logits = model(ids[batch], lengths[batch])[rows, places[batch]]
        optimizer.zero_grad()
        F.cross_entropy(logits, words[batch]).backward()
        optimizer.step()
    model.eval()
    ids, lengths, places = (torch.from_numpy(array) for array in test)
    with torch.no_grad():
        return model(ids, lengths)[torch.arange(len(ids)), places]
