"""Compare backends and encodings: each run in a process of its own, and every answer checked against the others.
`run.compare` measures a `plan.Plan`; `summary.Results` holds what was measured and ranks the contenders; `results`
reads and writes its file; `plots` and `page` draw it."""
