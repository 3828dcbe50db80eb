"""Inputs that nobody expects, for whatever reads what others have written: a module for each kind of reader."""
