"""The window's program."""
