"""The motion as a table of numbers."""

import os
import sys
from collections.abc import Iterator
from typing import IO

from viewer.fields import SceneError, brief
from viewer.files import whole_file
from viewer.scenario import Scenario
from viewer.session import Session

COLUMNS = (
    "time_s",
    *(f"orientation_{c}" for c in "wxyz"),
    *(f"omega_body_{c}_rad_per_s" for c in "xyz"),
    *(f"omega_world_{c}_rad_per_s" for c in "xyz"),
    *(f"angular_momentum_world_{c}_kg_m2_per_s" for c in "xyz"),
    "rotational_energy_J",
    "target_energy_J",
)


def rows(scenario: Scenario, seconds: float, every: float, fast: bool = False) -> Iterator[tuple[float, ...]]:
    """The values of COLUMNS at t = 0, `every`, 2 `every`, .. `seconds`, each at the nearest step.

    `fast`: with compiled steps (extra `fast`), which pays where many are made.
    Raises SceneError where the times are not allowed, numba is missing or the physics fails on the way.
    """
    step = scenario.solver.step
    if not step * (1 - 1e-9) <= seconds <= 1e6:
        raise SceneError(f"seconds: {brief(seconds)} s is outside {brief(step)}..1e+06 s")
    if not step * (1 - 1e-9) <= every <= seconds:
        raise SceneError(
            f"every: {brief(every)} s is outside {brief(step)}..{brief(seconds)} s (step..seconds)"
        )
    session = Session(scenario, playing=False, fast=fast)
    for index in range(int(seconds / every * (1 + 1e-12)) + 1):
        session.run_on_to(max(index * every, session.time))
        now = session.reading()
        yield (
            now.time,
            *map(float, now.orientation_wxyz),
            *map(float, now.omega_body),
            *map(float, now.omega_world),
            *map(float, now.angular_momentum_world),
            now.energy,
            now.target_energy,
        )


def write_csv(
    scenario: Scenario,
    seconds: float,
    every: float,
    path: str | os.PathLike[str] | None,
    fast: bool = False,
) -> None:
    """Writes the table as it comes, to a file (whole or not at all) or, without a path, to standard output."""
    if path is None:
        if sys.stdout is None:
            raise SceneError("output: standard output is closed; name a file with -o")
        _write(sys.stdout, rows(scenario, seconds, every, fast))
        return
    with whole_file(path) as temporary, temporary.open("w", encoding="ascii", newline="") as file:
        _write(file, rows(scenario, seconds, every, fast))


def _write(file: IO[str], table: Iterator[tuple[float, ...]]) -> None:
    first = next(table)  # errors come before the heading
    file.write(",".join(COLUMNS) + "\n")
    file.write(",".join(map(repr, first)) + "\n")
    for row in table:
        file.write(",".join(map(repr, row)) + "\n")
