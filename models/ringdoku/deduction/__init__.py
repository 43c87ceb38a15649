"""What follows from clues and rules without search: candidates, singles, and what each primitive rules out."""
