"""Compare backends and encodings: each run in a process of its own, and every answer checked against the others.

`run.compare` measures a `plan.Plan`, `results.Results` holds what was measured, `summary` ranks the contenders,
`plots` and `page` draw them.
"""
