"""Attacks on the sandbox from inside it, and what honest code may do there, in both isolations.

Each attack costs at most its own call and leaves nothing behind: after every test the same honest question, put to a
fresh child of the same zygote, must be answered with the same bytes. Where it is cheap, a positive control shows that
the attack does its damage outside. Where Landlock alone would refuse an attack, a zygote without it shows that the
wall behind it stands too.
"""
