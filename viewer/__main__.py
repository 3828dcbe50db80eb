"""The command `poinsot`, which is also `python -m viewer`."""

import gc
import os
import sys


def main() -> int:
    """Run the command; Ctrl-C ends it without a traceback, even while it is still being loaded."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's: no matrix here is large, and they take 12 ms to start
    gc.disable()  # until everything is imported: there is no garbage yet, and looking for it takes 160 ms
    try:
        from viewer.cli import main as command

        return command()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
