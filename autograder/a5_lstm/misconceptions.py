"""m"""

MISCONCEPTIONS = ()
