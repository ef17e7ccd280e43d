from __future__ import annotations

from checks import criterion, equal, student

OK_FORMAT, name = False, "parameter_count"


@criterion(
    "values", 2, hint="Write down the shapes of W and b for H = 2 and D = 3, and count. How many blocks of rows?"
)
def test_values() -> None:
    parameter_count = student("lstm").parameter_count
    for kind, one, two in (("rnn", 12, 14), ("lstm", 48, 56), ("gru", 36, 42)):
        equal(parameter_count(kind, 3, 2), one, what=f"The number for {kind}, three inputs, two units")
        equal(parameter_count(kind, 3, 2, biases=2), two, what=f"The number for {kind} with two biases")
    equal(parameter_count("rnn", 10, 20), 620, what="The number for rnn, ten inputs, twenty units")
    equal(parameter_count("gru", 10, 20), 1860, what="The number for gru, ten inputs, twenty units")
    equal(parameter_count("lstm", 10, 20), 2480, what="The number for lstm, ten inputs, twenty units")
