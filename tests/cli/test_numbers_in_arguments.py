"""Numbers are written on the command line as they are typed in the panel: 1/60, 2*pi, 5 ms."""

import argparse
import math

import pytest

from viewer.cli.motion import _race_parser as race
from viewer.cli.options import chosen_scene, duration, number, place, whole
from viewer.cli.recordings import _replay_parser as replay
from viewer.common.errors import InputError
from viewer.replay.conventions import parse_conventions
from viewer.ui.overlays.saving import number_of as typed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("solver.integration_period=1/60", 1 / 60),
        ("solver.integration_period=1/60 s", 1 / 60),
        ("solver.integration_period=5.41 d", 467424.0),
        ("solver.extra_substeps=2*3", 6),
        ("body.mass=.5", 0.5),
        ("start.angular_velocity=[0, 2*pi, .5]", (0.0, math.tau, 0.5)),
        ("start.angular_velocity=0, 2*pi, 60 rpm", (0.0, math.tau, math.tau)),
        ("start.angular_velocity=[0, 120 rpm, -1/3]", (0.0, 4.0 * math.pi, -1 / 3)),
    ],
)
def test_a_field_is_set(text, value):
    scene = chosen_scene(argparse.Namespace(scene="paper-fig1", set=[text]))
    assert scene.value(text.partition("=")[0]) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("body.mass=1/0", "body.mass: '1/0' is not a number; allowed is 1e-9 to 1e30 kg"),
        ("body.mass=2*3 m", "body.mass: m is no unit of mass"),
        ("solver.extra_substeps=5/2", "solver.extra_substeps: 2.5 is not a whole number"),
        ("start.angular_velocity=[0, 2*pi]", "start.angular_velocity: [0.0, 6.28"),
        ("start.angular_velocity=[0, two, 1]", "start.angular_velocity: '[0, two, 1]' cannot be read as TOML"),
        ("body=1/60", "body: is a section; allowed are shape, mass"),
        ("title=1/60", None),
    ],
)
def test_what_is_no_number_is_refused_as_before(text, said):
    options = argparse.Namespace(scene="paper-fig1", set=[text])
    if said is None:
        assert chosen_scene(options).title == "1/60"
        return
    with pytest.raises(InputError) as caught:
        chosen_scene(options)
    assert str(caught.value).startswith(said)


def test_options_of_commands():
    options = race().parse_args(["rod", "--step", "1/60", "--periods", "2*5", "--workers", "1+1"])
    assert (options.step, options.periods, options.workers) == (1 / 60, 10.0, 2)
    assert replay().parse_args(["a.npy", "--step", "1/240"]).step == 1 / 240
    assert (number("30000/1001"), whole("2^3"), duration("3*20 ms")) == (30000 / 1001, 8, pytest.approx(0.06))
    assert place("1/2, 2*3, -30 cm") == (0.5, 6.0, -0.3)
    assert parse_conventions(moments="1/3, 2, 5/2").moments == (1 / 3, 2.0, 2.5)
    with pytest.raises(InputError, match=r"^--workers: '5/2' is not a whole number$"):
        race().parse_args(["rod", "--workers", "5/2"])


def test_the_dialog_that_saves_reads_the_same():
    assert (typed("seconds", "1/2"), typed("start", "30 ms"), typed("fps", "30000/1001")) == (0.5, 0.03, 30000 / 1001)
    with pytest.raises(InputError, match="speed: 'inf' is not a number"):
        typed("speed", "inf")


def test_no_scene_file_holds_arithmetic():
    with pytest.raises(InputError, match="'1/60' is not a number"):
        chosen_scene(argparse.Namespace(scene="rod", set=['body.mass="1/60"']))
