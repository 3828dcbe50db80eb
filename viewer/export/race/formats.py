"""Race report files: a table (.csv), figures (.png), or both on one page (.html)."""

import os
from pathlib import Path

from viewer.common.errors import InputError, shown
from viewer.common.output_files import whole_file
from viewer.export.race.report import Report
from viewer.export.race.text import csv_text

SUFFIXES = (".html", ".csv", ".png")


def check_output(path: str | os.PathLike[str]) -> None:
    """Raises InputError where the suffix is none that a report has, or what draws it is missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"output: {shown(os.fspath(path))} is no report; allowed are names in {', '.join(SUFFIXES)}"
        )
    if suffix != ".csv":
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            raise InputError(
                f"output: {suffix} needs matplotlib: pip install 'poinsot[report]'; .csv does not"
            ) from None


def write_report(report: Report, path: str | os.PathLike[str]) -> None:
    """Writes the report, whole or not at all; its suffix says what it is."""
    check_output(path)
    suffix = Path(path).suffix.lower()
    if suffix == ".csv":
        content = csv_text(report).encode()
    else:
        from viewer.export.race import figures, page  # here: matplotlib

        content = figures.png(report) if suffix == ".png" else page.html_text(report).encode()
    with whole_file(path) as file:
        file.write(content)
