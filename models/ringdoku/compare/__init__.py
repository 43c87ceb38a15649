"""Compare backends and encodings: each question in a process of its own, every answer checked against the others.

`run.compare` measures a `plan.Plan`, `results.Results` holds what was measured, `summary` ranks the contenders,
`plots` and `page` draw them.
"""
