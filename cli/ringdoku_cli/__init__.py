"""The command line: reads arguments, calls the library, shows what it returned."""

import gc

# loading packages allocates much and frees nothing: collecting in between costs an eighth of a short run
gc.set_threshold(100_000)
