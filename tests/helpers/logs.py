"""The recordings of other engines that come with the program, shortened: what resembles them is found in less time."""

from pathlib import Path

from viewer.common.resources import folder

LOGS = folder("assets") / "logs"


def short_log(path: Path, name: str = "mujoco-euler.csv", rows: int = 30) -> str:
    """Writes the first rows of a recording, with what it declares, to `path`; returns its name."""
    lines = (LOGS / name).read_text(encoding="utf-8").splitlines(keepends=True)
    columns = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    path.write_text("".join(lines[: columns + 1 + rows]), encoding="utf-8")
    return str(path)
