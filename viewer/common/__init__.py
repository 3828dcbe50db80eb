"""What every room may use, and the version of the program."""

__version__ = "0.1.0"
