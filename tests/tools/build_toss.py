"""Writes the recording of the tour "Toss your phone": three throws that no phone has made, with noise and clipping.

Run it from the project's folder: python tests/tools/build_toss.py
"""

from pathlib import Path

from tests.helpers.synthetic_tosses import as_phyphox, tossed_phone

TARGET = Path("assets/logs/tossed-phone.csv")


def recording() -> str:
    """Returns the text of the recording."""
    return as_phyphox(*tossed_phone(seed=19))


if __name__ == "__main__":
    TARGET.write_text(recording(), encoding="utf-8")
