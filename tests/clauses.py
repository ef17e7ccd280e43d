"""The clauses in which alternatives name their over-strict rules, as executable rules.

A clause is read part by part, at ", and "; each part is looked up in ``CLAUSES``, then matched against ``PATTERNS``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import numpy as np

from tests.rules import (
    LOOPS,
    SYNTAX,
    TYPES,
    Rule,
    all_arrays,
    all_numbers,
    all_results,
    avoids,
    both,
    calls,
    calls_in_a_loop,
    each_call,
    exception,
    has_no_other_attributes,
    holds,
    is_array,
    is_ascii,
    is_contiguous,
    is_writeable,
    keys,
    lacks,
    lies_row_by_row,
    loops_at_most,
    mentions,
    owns_its_memory,
    precedes,
    same,
    stands_alone,
    stores_entries,
    to_nine_digits,
    to_the_last_bit,
    unless,
    unwritten,
    vector,
    writes_to_no_argument,
    written,
)

PATTERNS: dict[str, Callable[..., Rule]] = {
    r"the code must be ASCII": lambda: is_ascii,
    r"an exercise must not call another one": lambda: stands_alone,
    r"([\w.]+) (?:must )?be called": calls,
    r"([\w.]+) and ([\w.]+) must be called": lambda one, other: both(calls(one), calls(other)),
    r"([\w.]+) must be called in a loop": calls_in_a_loop,
    r"([\w.]+) must not be called in a loop": lambda name: unless(calls_in_a_loop(name)),
    r"([\w.]+) must be used": mentions,
    r"([\w.]+) must not be (?:called|used)": avoids,
    r"(\w+) must come before (\w+)": precedes,
    r"no Python loops?(?: over .+)?": lambda: loops_at_most(0),
    r"no nested Python loops?(?: over .+)?": lambda: loops_at_most(1),
    r"(?:the source|it) must hold an? ([\w ]+)": lambda kind: holds(*SYNTAX[kind]),
    r"(?:the source|it) must hold no ([\w ]+)": lambda kind: lacks(*SYNTAX[kind]),
    r".+ must be a tuple": lambda: all_results(lambda answer: type(answer) is tuple),
    r".+ (?:must )?be (?:of type |an? )?(?:Python )?(bool|float|int)s?": lambda kind: all_numbers(
        lambda leaf: type(leaf) is TYPES[kind]
    ),
    r".+ (?:must )?(?:be|hold) (?:an? |one )?(?:nd)?arrays?": lambda: all_arrays(is_array),
    r".+ (?:must )?be contiguous": lambda: all_arrays(is_contiguous),
    r".+ (?:must )?be writeable": lambda: all_arrays(is_writeable),
    r".+ (?:must )?own (?:its|their) memory": lambda: all_arrays(owns_its_memory),
    r".+ (?:must )?lie in memory row by row": lambda: all_arrays(lies_row_by_row),
    r".+ must agree to the last bit": lambda: same(vector, to_the_last_bit),
    r".+ must agree to nine digits": lambda: same(vector, to_nine_digits),
    r"the exception must be (\w+) itself": lambda name: same(exception),
    r"the keys must stay in their order": lambda: same(keys),
    r"arguments must not be written to(?:, not even for a moment)?": lambda: writes_to_no_argument,
}

CLAUSES: dict[str, dict[str, Rule]] = {
    "a1_convolution": {
        "the system must be given a sum": written(r"system\([^()]* \+ "),
        "the layer must have no attributes of its own": has_no_other_attributes,
    },
    "a2_activations": {
        "both halves must be computed by one expression": unless(stores_entries),
        "the slope must be made from the output": written(r"\by \* \(1 - y\)"),
        "the slope must be made from the output of tanh": calls("tanh"),
        "the gradient at zero must be zero": each_call(
            "relu_backward", lambda call: not np.any(call.result[call.args[1] == 0])
        ),
        "the two sides must be told apart by a comparison with zero": written(r"x > 0"),
        "the gradient at zero must be that of one side": same(vector, to_nine_digits),
        "the interval must be halved": written(r"/ 2\b"),
        "the slope must not be asked beyond 100": each_call("_bell", lambda call: abs(call.args[0]) <= 100),
        "the truth values must be NumPy's": all_arrays(is_array),
        "every step must compute the residuals": written(r"@ path\[step\] - y"),
        "the Jacobian must not be formed": avoids("eye"),
        "the maximum must be subtracted": written(r"x - x\.max\("),
        "the gradient must be computed in one step": stands_alone,
        "errors must be found before anything is computed": precedes("raise", "log_softmax"),
        "the targets must be turned into one-hot vectors": written(r"== classes"),
        "the gradient must be one closed formula": unwritten(r"\bdvar\b"),
        "memory must not grow with the square of the batch": avoids("eye"),
        "saturation must be computed from slopes": mentions("slope"),
        "the numbers must be those of rng.uniform": same(vector, to_nine_digits),
        "one call of the generator must draw all weights": loops_at_most(0),
        "forward must take the context": written(r"def forward\(ctx"),
        "buffers must be updated in place": unwritten(r"self\.running_\w+ = "),
        "the statistics must be taken over several axes at once": written(r"\.mean\(dim=features"),
    },
    "a3_lenet5": {
        "windows must be two-dimensional": written(r"axis=\("),
        "ties go to the first maximum": same(vector, to_nine_digits),
        "the gradient of a window goes to one pixel": same(vector, to_nine_digits),
        "the gradient must be added window by window": holds(ast.AugAssign),
        "the pooling must come after a ReLU": calls("maximum"),
        "the result must be the product plus the bias": written(r"x @ w\.T \+ b"),
        "pixels must be copied, not multiplied": lacks(ast.MatMult, ast.Mult),
        "no circular shift may be used": avoids("roll"),
        "the layer must be called once for each shift": calls_in_a_loop("layer"),
        "the keys must come in the order of the layers, with Python integers": same(
            lambda table: [(name, type(count)) for name, count in table.items()]
        ),
        "the count must be a product": holds(ast.Mult),
        "the provided convolution must be used": calls("conv2d_forward"),
        "ReLU before pooling": each_call("max_pool_forward", lambda call: call.args[0].min() >= 0),
        "each pooling must follow its ReLU": each_call("max_pool_forward", lambda call: call.args[0].min() >= 0),
        "no operator that works in place": lacks(ast.AugAssign),
        "the parameters must be registered from first to last": same(keys),
        "gradients must be cleared at the beginning of the loop": precedes("zero_grad", "backward"),
        "the optimizer must clear the gradients": written(r"optimizer\.zero_grad\("),
        "the forward passes must stand under no_grad": calls("no_grad"),
        "the state dictionary must be loaded as a whole": calls("load_state_dict"),
    },
    "a4_rnn": {
        "input and state must each be multiplied with their own weights": written(r"x @ U\.T \+ h @ V\.T"),
        "a loop over sequences must not be needed": loops_at_most(0),
        "time must be a loop": holds(*LOOPS),
        "the shares of the steps must be added up one by one": holds(ast.AugAssign),
        "time must be walked from the end to the beginning": calls("reversed"),
        "products of matrices must be formed": holds(ast.MatMult),
        "each coefficient must be made from the one before": avoids("matrix_power"),
        "the product must be formed in one loop": holds(*LOOPS),
        "the factors must be multiplied as matrices": written(r"V @ jacobian"),
        "the singular values computed": written(r"norm\(.*, 2\)"),
        "eigenvalues must be computed": calls("eigvals"),
        "x must be perturbed in place": stores_entries,
        "x must never be written to": writes_to_no_argument,
        "rnn_backward must be called once for each window": calls_in_a_loop("rnn_backward"),
        "adam_step must see four arrays": each_call("adam_step", lambda call: len(call.args[0]) == 4),
        "the second bias must be zero": each_call("to_torch", lambda call: not call.result.bias_hh_l0.any()),
        "one backward pass must give all norms": unless(calls_in_a_loop("grad")),
        "the parameters' gradients must not be touched, not even for a moment": avoids("backward"),
    },
    "a5_lstm": {
        "the step is one matrix product over the concatenation": holds(ast.MatMult),
        "every step must read its own input": calls_in_a_loop("lstm_step_forward"),
        "time is walked by a loop": holds(*LOOPS),
        "the gradient of the weights is summed up step by step": calls_in_a_loop("lstm_step_backward"),
        "the product must be taken factor by factor": avoids("log"),
        "the derivative is carried forward in time": unwritten(r", -1\)"),
        "no matrix larger than (H, H) is allowed": avoids("vstack", "hstack", "block"),
        "the derivative must be written down by hand": unwritten(r"\dj\b"),
        "all weights come from one draw": loops_at_most(0),
        "the new state must be written as the stub writes it": written(r"\(1 - z\) \* n \+ z \* h"),
        "sequences must be reversed before they are read": calls("reverse_padded"),
        "the batch is read together": each_call("lstm_forward", lambda call: len(call.args[0]) > 1),
        "draws must come in whole arrays": loops_at_most(0),
        "random words are drawn only where they are needed": written(r"size=\w+\.sum\(\)"),
        "labels serve as indices": written(r"\[\w+, labels\["),
        "gradients must be computed by one product each": loops_at_most(0),
        "the whole bias must stand beside the input": each_call(
            "lstm_to_torch", lambda call: not call.result.bias_hh_l0.any()
        ),
        "the final states come from the second return value": avoids("pad_packed_sequence"),
        "the batch must be packed": calls("pack_padded_sequence"),
        "the recurrent layer must be an LSTM": calls("LSTM"),
        "the two directions come from one bidirectional layer": mentions("bidirectional"),
        "the layers must keep the initial values that PyTorch gives them": avoids("zeros_"),
    },
    "a6_attention": {
        "the hidden scores must become minus infinity": written(r"-np\.inf"),
        "the scale must multiply the product": written(r"scale \* \(q @ "),
        "np.tri or np.tril must be used": written(r"np\.tril?\("),
        "the result must be an array of truth values": all_arrays(is_array),
        "the weights must be normalized before they meet the values": unwritten(r"@ v / "),
        "the Jacobian of the softmax must not be built": avoids("eye"),
        "the sums must be taken over the keys": written(r"\(weights \* dweights\)\.sum\(axis=-1"),
        "the diagonal must come from np.diag": calls("np.diag"),
        "the projections must be one product": loops_at_most(0),
        "the result must be a view of its argument where it can be": each_call(
            "merge_heads",
            lambda call: min(call.args[0].shape[1:3]) > 1 or np.shares_memory(call.result, call.args[0]),
        ),
        "the gradients must be assembled by merge_heads": calls("merge_heads"),
        "sine and cosine must be called": both(calls("np.sin"), calls("np.cos")),
        "the output must be indexed by the permutation": written(r"layer\(x\)\[:, permutation\]"),
        "the cache must be a tuple": all_results(lambda answer: type(answer[1]) is tuple),
        "the scores must be computed on joined keys": precedes("concatenate", "scaled_dot_product_attention"),
        "the softmax must be called here": calls("masked_softmax"),
        "the largest must be subtracted": avoids("logaddexp"),
        "cosines must be computed one by one": lacks(ast.MatMult),
        "the hidden scores must stay finite": unwritten("-inf"),
        "the layer must be the reference's": has_no_other_attributes,
        "the vector of the word itself must be added": written(r"x \+ self\.attention"),
        "keys and values must not be mixed": unwritten(r"\(keys\) \+ "),
        "the logits must come from a layer of their own": written(r"return self\.\w+\("),
        "the weights of a query must be complete before they are used": calls("softmax"),
        "there must be a loop": holds(*LOOPS),
    },
}


def rules(assignment: str, clause: str) -> dict[str, Rule]:
    """The rule of every part of a clause.

    Raises:
        LookupError: a part is not known; the sentence says what to do.
    """
    return {part: _rule(assignment, part) for part in parts(clause)}


def parts(clause: str) -> list[str]:
    return clause.split(", and ")


def _rule(assignment: str, part: str) -> Rule:
    if rule := CLAUSES.get(assignment, {}).get(part):
        return rule
    for pattern, make in PATTERNS.items():
        if match := re.fullmatch(pattern, part):
            return make(*match.groups())
    raise LookupError(
        f"No executable rule is known for “{part}”: word it like one of PATTERNS in tests/clauses.py, or enter it into "
        f"CLAUSES[{assignment!r}] there with a rule that takes the reference and rejects the alternative."
    )
