"""Certificates: a model and a proof that strangers can check, how they are made, and a small checker for them."""
