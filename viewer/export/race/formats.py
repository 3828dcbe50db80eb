"""Race report files: a table (.csv), figures (.png), or both on one page (.html)."""

import os

from viewer.common.errors import refusal
from viewer.common.language import marked
from viewer.common.output_files import WholeFile, output_suffix
from viewer.export.race.report import Report
from viewer.export.race.text import csv_text

SUFFIXES = (".html", ".csv", ".png")


def check_output(path: str | os.PathLike[str]) -> str:
    """The suffix of a report; raises InputError where it is none, the folder or what draws the report is missing."""
    suffix = output_suffix(path, marked("report"), SUFFIXES)
    if suffix != ".csv":
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            raise refusal(
                "output: {suffix} needs matplotlib: pip install 'poinsot[report]'; .csv does not", suffix=suffix
            ) from None
    return suffix


def write_report(report: Report, path: str | os.PathLike[str]) -> None:
    """Writes the report in the format of its suffix, whole or not at all."""
    suffix = check_output(path)
    if suffix == ".csv":
        content = csv_text(report).encode()
    else:
        from viewer.export.race import figures, page  # here: matplotlib

        content = figures.png(report) if suffix == ".png" else page.html_text(report).encode()
    with WholeFile(path) as file:
        file.write(content)
