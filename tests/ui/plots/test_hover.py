"""The pointer over a plot: the table holds the values of the motion, and of the lanes, at that time."""

import numpy as np
import pytest

from viewer.session.quantities import QUANTITIES
from viewer.session.session import Session
from viewer.ui.plots.chart import Value, clock

RED = (1.0, 0.0, 0.0)


@pytest.fixture
def hovered(stage):
    """A stage that shows only these plots, after `seconds` of the motion: `hovered(preset, panes)`."""

    def make(preset, panes, seconds=10.0):
        shown = stage(preset=preset)
        if preset == "paper-fig1":
            shown.workspace.session.change({"solver.integrator": "jolt", "solver.stabilisation": "off"})
        shown.workspace.session.run_to(seconds)
        shown.workspace.state.plots = True
        for name in shown.ui.plots.shown:
            shown.ui.plots.shown[name] = name in panes
        shown.frame(3)
        return shown

    return make


def point(shown, part, down=0.6):
    """Moves the mouse to these parts of the strip's width and height; the table that is shown then."""
    place = shown.ui.layout.areas.plots
    shown.move(place.x + part * place.width, place.y + down * place.height)
    shown.frame()
    return shown.ui.plots.hover.table


@pytest.mark.parametrize("part", [0.15, 0.28, 0.42])
def test_the_values_are_those_of_the_motion_run_to_that_time(hovered, part):
    shown = hovered("paper-fig1", ("velocity",))
    table = point(shown, part)
    motion = Session(shown.workspace.session.scenario, playing=False)
    motion.run_to(table.time)
    assert motion.motion.time == pytest.approx(table.time, abs=1e-9)
    expected = motion.snapshot().reading.omega_body
    assert [value.label for value in table.values] == [QUANTITIES[f"omega_{name}"].label for name in "xyz"]
    for value, omega in zip(table.values, expected, strict=True):
        assert value.written == Value("", RED, omega, omega, "rad/s").written
        assert value.written.endswith(" rad/s")
    lines = [words for words, _ in shown.texts]
    assert all(value.written in lines and value.label in lines for value in table.values)


def test_the_errors_are_written_with_their_sign_and_marked_as_magnitudes(hovered):
    shown = hovered("paper-fig1", ("errors",))
    table = point(shown, 0.3)
    found = {value.label: value for value in table.values}
    motion = Session(shown.workspace.session.scenario, playing=False)
    energies = []
    for time in (0.0, table.time):
        motion.run_to(time)
        reading = motion.snapshot().reading
        energies.append(0.5 * reading.omega_body @ (motion.snapshot().body.principal_moments * reading.omega_body))
    error = energies[1] / energies[0] - 1.0
    assert found["E"].low == pytest.approx(error, rel=1e-8)  # 2e-11 measured
    assert all(value.drawn > 0.0 for value in table.values)
    assert found["correction"].drawn == 1e-17  # where 0 is drawn
    assert found["correction"].written == "0 rad"
    for value in table.values:  # rounded: what an error is known to, and what can be read
        number = value.written.split()[0].partition("×")[0]
        assert sum(letter.isdigit() for letter in number.lstrip("−0.")) <= 3, value.written


def test_a_race_shows_each_lane_at_its_own_sample(hovered):
    shown = hovered("race-of-five", ("race_factor",))
    table = point(shown, 0.3)
    session = shown.workspace.session
    assert 1.0 < table.time < 9.0
    lanes = [f"{number} {runner.lane.label}" for number, runner in enumerate(session.scene.race.runners, start=1)]
    assert [value.label for value in table.values] == lanes
    session.scene.race.follow(table.time)
    for value, now in zip(table.values, session.scene.race.now(), strict=True):
        size = np.linalg.norm(now.angular_momentum_world)
        energy = 0.5 * now.omega_world @ now.angular_momentum_world
        assert value.low == pytest.approx(2.0 * energy / size**2, rel=1e-9)


def test_nothing_is_shown_in_lecture_mode_nor_beside_the_plots(hovered):
    shown = hovered("paper-fig1", ("velocity",))
    assert point(shown, 0.3) is not None
    assert point(shown, 0.3, down=-1.0) is None
    assert point(shown, 0.3) is not None
    shown.workspace.state.lecture = True
    shown.frame()
    assert shown.ui.plots.hover.table is None


def test_a_stretch_is_written_with_both_ends():
    assert Value("E", RED, 1.0, 1.5, "J").written == "1.0000 to 1.5000 J"
    assert Value("E", RED, -1.5, -1.5, "1").written == "−1.5000"


@pytest.mark.parametrize(
    ("span", "written"), [(20.0, "−3.142 s"), (0.2, "−3.14159 s"), (500.0, "−3.14 s"), (1e5, "−0.001 h")]
)
def test_the_time_is_as_fine_as_it_can_be_pointed_at(span, written):
    assert clock(-3.14159265, span) == written
