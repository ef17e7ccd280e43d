"""a"""

ALTERNATIVES = ()
