"""At-most-one encodings, one file each: `encode`, and `variables` and `clauses` for a set of k literals."""
