"""The named constraints, one file for each family, and the table of all of them."""
