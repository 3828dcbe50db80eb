"""The command `poinsot`, which is also `python -m viewer`."""

import sys

from viewer.common import garbage


def main() -> int:
    """Runs the command; Ctrl-C ends it without a word, also while it is still being loaded."""
    garbage.put_off()
    try:
        from viewer.cli import main as command

        return command()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
