"""`python -m viewer` is the command `poinsot`."""

import sys

from viewer.cli import main

sys.exit(main())
