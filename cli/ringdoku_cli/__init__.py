"""The command line: reads arguments, calls the library, shows what it returned."""

import gc

# importing packages allocates much and frees nothing: garbage collection meanwhile costs an eighth of a short run
gc.set_threshold(100_000)
