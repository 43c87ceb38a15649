"""How Booleans stand for the digit of a cell, one file each."""
