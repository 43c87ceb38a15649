"""The named constraints, a family a file, and the one table of them."""
