"""Formulas as flat int32 arrays (`formula`), encodings of digits (`digits`), at-most-one (`at_most_one`) and rules
(`rules`, with `clauses`), and DRAT proofs. Literals are signed ints, as in DIMACS. Nothing here needs a solver."""
