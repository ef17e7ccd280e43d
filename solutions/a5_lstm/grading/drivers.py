"""How the questions of assignment 5 are put. Runs beside the student's code as plain source and holds no secret."""

import contextlib

import numpy as np
from driving import apart, backward, float64_by_default, loaded, tensors


def first_and_moved_on(seed):
    """Two generators in the same state, of which the second is asked once more."""
    first, second = np.random.default_rng(seed), np.random.default_rng(seed)
    return first, second, second


def lstm_init(student, input_size, hidden_size, seed, **settings):
    """Draw parameters three times: twice from the same state, and once more from the second generator."""
    return tuple(student.lstm_init(input_size, hidden_size, rng=rng, **settings) for rng in first_and_moved_on(seed))


def chrono_bias(student, hidden_size, max_lag, seed):
    """Draw biases three times, as parameters are."""
    return tuple(student.chrono_bias(hidden_size, max_lag, rng=rng) for rng in first_and_moved_on(seed))


def mask_tokens(student, ids, seed, collection=None, **settings):
    """Hide words. A set does not travel, so it is made here of the special ones; so are other collections."""
    special = settings.get("special_ids", ())
    if collection == "list":
        settings["special_ids"] = list(special)
    elif collection:
        settings["special_ids"] = (set if collection == "set" else np.array)(special)
    return student.mask_tokens(ids, rng=np.random.default_rng(seed), **settings)


def mask_tokens_by_sentence(student, ids, seed, **settings):
    """Hide words, one sentence after the other, with one generator."""
    rng = np.random.default_rng(seed)
    answers = [student.mask_tokens(ids[n : n + 1], rng=rng, **settings) for n in range(len(ids))]
    return tuple(np.concatenate(arrays) for arrays in zip(*answers, strict=True))


def mask_tokens_again(student, ids, seed, **settings):
    """Hide words three times, as parameters are drawn."""
    return tuple(student.mask_tokens(ids, rng=rng, **settings) for rng in first_and_moved_on(seed))


def converted(student, W, b, x, h0, c0):
    """Make a layer, overwrite the arrays that it was made from, and run it in its own precision."""
    given = [W.copy(), b.copy()]
    lstm = student.lstm_to_torch(*given)
    kept = {
        "arguments": all(map(np.array_equal, given, (W, b))),
        "trainable": all(parameter.requires_grad for parameter in lstm.parameters()),
    }
    for array in given:
        array.fill(0)
    x, h0, c0 = (tensor.to(lstm.weight_hh_l0.dtype) for tensor in tensors(x, h0, c0))
    h = lstm(x, (h0[None], c0[None]))[0]
    return {"h": h, "kept": kept | {"apart": apart(lstm)}}


def converted_by_default(student, W, b, x, h0, c0):
    """The same, while new tensors are float64 if nothing else is said."""
    with float64_by_default():
        return converted(student, W, b, x, h0, c0)


def packed_final_states(student, x, lengths, state, dy):
    """Build a bidirectional LSTM with the weights in ``state``, sum up the sequences and go back to them."""
    from torch import nn

    layers, hidden = sum("weight_hh" in name for name in state) // 2, state["weight_hh_l0"].shape[1]
    lstm = loaded(nn.LSTM(x.shape[2], hidden, layers, batch_first=True, bidirectional=True), state)
    x, lengths = tensors(x, lengths)
    y = student.packed_final_states(lstm, x.requires_grad_(), lengths)
    backward(y, dy)
    return {"y": y, "gradient": x.grad, "reached": all(p.grad is not None for p in lstm.parameters())}


def masked_word_logits(student, batches, default="float32", turned=None):
    """Score the words of several batches with one untrained model, made under this default dtype, and all of them again
    if it is ``turned`` to another.

    Initial values are the student's choice, and where they are zero all words would have the same scores: shake them.
    """
    import torch

    with float64_by_default() if default == "float64" else contextlib.nullcontext(), torch.no_grad():
        model = student.MaskedWordModel(20, 16, 32).eval()
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
        scores = [model(*tensors(ids, lengths)) for ids, lengths in batches]
        if turned:
            model = model.to(getattr(torch, turned))
            scores += [model(*tensors(ids, lengths)) for ids, lengths in batches]
        return tuple(scores)


def masked_word_training(student, train, test, steps, batch, lr):
    """Train a model by the recipe of the stub, then score the hidden words of other sentences."""
    import torch
    import torch.nn.functional as F

    ids, lengths, places, words = tensors(*train)
    model = student.MaskedWordModel(20, 16, 32)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for rows in torch.arange(steps * batch).split(batch):
        logits = model(ids[rows], lengths[rows])[torch.arange(batch), places[rows]]
        optimizer.zero_grad()
        F.cross_entropy(logits, words[rows]).backward()
        optimizer.step()
    model.eval()
    ids, lengths, places = tensors(*test)
    with torch.no_grad():
        return model(ids, lengths)[torch.arange(len(ids)), places]
