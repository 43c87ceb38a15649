"""Compare backends and encodings: each run in a process of its own, and every answer checked against the others. In
reading order: `run.compare` measures a `plan.Plan`; `summary.Results` holds the measurements and ranks the contenders;
`results` reads and writes their file; `plots` and `page` show them."""
