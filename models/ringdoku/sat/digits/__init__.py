"""Encodings of a cell's digit as Booleans, one file each: `encode`, `variables` and `clauses` for k candidates."""
