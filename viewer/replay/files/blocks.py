"""Long recordings in blocks of rows, so that no more is held at a time than the work on one needs."""

from collections.abc import Iterator

BLOCK = 8192  # rows: quickest, too
SPLINE_REACH = 64  # rows: a row so far off moves a cubic spline by 1e-36 of itself, each further one by .27 as much


def blocks(rows: int, reach: int = 0) -> Iterator[tuple[slice, slice]]:
    """(a block of the rows, the same with `reach` rows more on each side, where there are so many); wide ones begin
    with the row before at least."""
    for first in range(0, rows, BLOCK):
        end = min(first + BLOCK, rows)
        yield slice(first, end), slice(max(first - max(reach, 1), 0), min(end + reach, rows))
