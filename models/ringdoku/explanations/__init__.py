"""Reasons: steps of at most a few truths to a solution or to a contradiction, their names, their check, their words."""
