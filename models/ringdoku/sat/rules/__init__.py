"""Primitives as clauses over the literals of candidates, one kind a file; `encoder` encodes any of them."""
