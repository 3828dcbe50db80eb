"""A change of fields makes the same scene on every way into the program."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from viewer import cli
from viewer.cli.options import settings
from viewer.common.errors import InputError
from viewer.export.contact_sheet import ContactSheet, _session
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS, Scenario, field_at
from viewer.scenario.tours import parse
from viewer.session.session import Session

PRESET = "sphere"  # leaves alone what is set here
AUTOMATIC = [
    f"{section}.{name}"
    for section, kind in SECTIONS.items()
    for name, field in fields_of(kind).items()
    if field.ended_by
]
Changes = list[tuple[str, Any]]

TABLE: dict[str, tuple[Changes, dict[str, bool | float]]] = {
    "nothing automatic": ([("body.mass", 2.0), ("view.zoom", 3.0)], {}),
    "a speed": ([("playback.speed", 3.0)], {"playback.auto_speed": False}),
    "the speed that it had": ([("playback.speed", 1.0)], {"playback.auto_speed": False}),
    "a speed, automatic": ([("playback.speed", 3.0), ("playback.auto_speed", True)], {"playback.auto_speed": True}),
    "one of the eyes' two": ([("stereo.convergence", 2.0)], {"stereo.comfort": False}),
    "both of them": ([("stereo.separation", 5.0), ("stereo.convergence", 2.0)], {"stereo.comfort": False}),
    "both, and easy on the eyes": (
        [("stereo.separation", 5.0), ("stereo.comfort", True), ("stereo.convergence", 2.0)],
        {"stereo.comfort": True},
    ),
    "in two sections": (
        [("stereo.separation", 5.0), ("playback.auto_speed", True)],
        {"stereo.comfort": False, "playback.auto_speed": True},
    ),
    "a pulse": ([("loads.pulse", 0.1)], {"loads.auto_pulse": False}),
    "an integration period": ([("solver.integration_period", 0.01)], {"solver.auto_period": False}),
    "the mass, which ends a density": ([("body.mass", 3.0)], {"body.density": 0.0}),
    "by a former name": ([("view.latitude_deg", 20.0), ("playback.speed", 2.0)], {"playback.auto_speed": False}),
}


def by_file(changes: Changes, folder: Path) -> Scenario:
    path = folder / "scene.toml"
    path.write_text("\n".join(f"{field} = {json.dumps(value)}" for field, value in changes))
    return Scenario.load(path)


def by_an_older_file(changes: Changes, folder: Path) -> Scenario:
    """What was saved over a file that says something else of the same."""
    path = folder / "older.toml"
    path.write_text("playback.speed = 9.0\nstereo.comfort = false\nbody.mass = 7.0\n")
    Scenario().with_values(dict(changes)).save(path)
    return Scenario.load(path)


def by_command_line(changes: Changes, folder: Path) -> Scenario:
    opened: list[Scenario] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("viewer.cli.window._window", lambda scene, *_, **__: opened.append(scene))
        words = [word for field, value in changes for word in ("--set", f"{field}={json.dumps(value)}")]
        assert cli.main([PRESET, *words]) == 0
    return opened[0]


def by_contact_sheet(changes: Changes, folder: Path) -> Scenario:
    words = [f"{field}={json.dumps(value)}" for field, value in changes]
    return _session(ContactSheet(time=0.0, changes=tuple(settings(words))), PRESET).scenario


def by_tour(changes: Changes, folder: Path) -> Scenario:
    head = f'title = "A"\nsummary = "B"\n[[steps]]\nscene = "{PRESET}"\ntext = "C"\n[steps.changes]\n'
    lines = "\n".join(f"{field} = {json.dumps(value)}" for field, value in changes)
    return parse(head + lines, "tour").scenario(0, Scenario())


def by_panel(changes: Changes, folder: Path) -> Scenario:
    running = Session(Scenario.preset(PRESET), playing=False)
    running.change(dict(changes))
    return running.scenario


def by_undo(changes: Changes, folder: Path) -> Scenario:
    """Done, undone and done again; then something else by hand, which is undone."""
    running = Session(Scenario.preset(PRESET), playing=False)
    running.open(running.scenario.with_values(dict(changes)), saved=False)
    running.undo()
    assert running.scenario == Scenario.preset(PRESET)
    running.redo()
    running.change({"stereo.separation": 19.0})
    running.undo()
    return running.scenario


ROUTES: list[Callable[[Changes, Path], Scenario]] = [
    lambda changes, folder: Scenario.preset(PRESET).with_values(dict(changes)),
    by_file,
    by_an_older_file,
    by_command_line,
    by_contact_sheet,
    by_tour,
    by_panel,
    by_undo,
]


def seen(scene: Scenario, paths: Iterable[str]) -> dict[str, Any]:
    return {path: scene.value(path) for path in paths}


@pytest.mark.parametrize("name", TABLE)
def test_a_change_makes_the_same_scene_by_every_route(name: str, tmp_path: Path) -> None:
    changes, automatic = TABLE[name]
    expected = seen(Scenario(), AUTOMATIC) | automatic | dict(changes)
    for order in (changes, changes[::-1]):
        for route in ROUTES:
            assert seen(route(order, tmp_path), expected) == expected, route


def test_every_automatic_is_in_the_table() -> None:
    ended = {path for _, automatic in TABLE.values() for path, on in automatic.items() if not on}
    assert ended == set(AUTOMATIC)
    assert ended == {"body.density", "loads.auto_pulse", "solver.auto_period", "playback.auto_speed", "stereo.comfort"}


def test_a_field_by_two_of_its_names_is_refused_by_every_route(tmp_path: Path) -> None:
    (former,) = field_at("view.polar_angle_deg").former
    twice: Changes = [("view.polar_angle_deg", 20.0), (f"view.{former}", 30.0)]
    for route in ROUTES:
        if route is by_command_line:  # one line on standard error
            assert cli.main([PRESET, *[word for path, value in twice for word in ("--set", f"{path}={value}")]]) == 2
            continue
        with pytest.raises(InputError, match="is given twice"):
            route(twice, tmp_path)
