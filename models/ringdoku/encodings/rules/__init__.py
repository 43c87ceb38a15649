"""Primitives as clauses over the literals of candidates, one kind a file; `encoder` knows them all."""
