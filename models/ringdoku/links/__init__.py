"""Puzzles as people share them in links and constraint strings, one form a file."""
