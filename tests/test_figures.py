"""Each figure and number of the five sources: what the program prints or draws, beside numbers computed here.

Here is plain numpy on the equations as the sources print them; nothing of the program's physics. Claims on single steps
are in physics/kernels/test_claims.py, the paper's loop and the nearest point in stepping/test_projection.py, four
behaviours in race/test_trajectory.py, Feynman's plate and Explorer's rod in scenario/test_presets.py.
"""

import csv
import io
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from viewer import cli
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours
from viewer.scene.words.formatting import short
from viewer.session.session import Session

PAGE = Path(__file__).parents[1] / "assets" / "manual" / "sources.md"
H = 1 / 60
ODE = np.array([10.0, 4.0, 2.0])
BOX = 80 / 12 * np.array([0.4**2 + 0.2**2, 1 + 0.2**2, 1 + 0.4**2])  # 1 x .4 x .2 m
BODIES = {"ode-blog": ODE, "box-80kg": BOX}
OMEGA = np.array([1.0, 2.0, 3.0])
AS_IN_POST = ["--set", "start.angular_velocity=[1, 2, 3]", "--set", f"solver.integration_period={H!r}"]
AS_IN_POST += ["--set", "solver.extra_substeps=0"]


def star(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def explicit(I, L, h):
    return L + h * np.cross(L, L / I)


def implicit(I, L, h):
    return I * np.linalg.solve(np.diag(I) - h * star(L), L)


def averaged(I, L, h):
    return (explicit(I, L, h) + implicit(I, L, h)) / 2


def alternating(I, L, h):
    """Two passes of half the step."""
    return implicit(I, explicit(I, L, h / 2), h / 2)


def rates(step, I, seconds):
    """omega in the body after each step of 1/60 s, (N, 3), from (1, 2, 3)."""
    L, found = I * OMEGA, []
    for _ in range(round(seconds / H)):
        L = step(I, L, H)
        found.append(L / I)
    return np.array(found)


def printed(capsys, *argv):
    """What a command prints."""
    assert cli.main(list(argv)) in (0, None)
    return capsys.readouterr().out


def table(capsys, *argv):
    """The rows that `poinsot simulate` prints, by column."""
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "simulate", *argv))))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def omega_body(found):
    return np.stack([found[f"omega_body_{axis}_rad_per_s"] for axis in "xyz"], axis=1)


@pytest.mark.parametrize(("scene", "seconds"), [("ode-blog", 31.6), ("box-80kg", 39.0)])
def test_explicit_explodes_when_the_plain_loop_does(scene, seconds, capsys):
    """Post on ODE, and the box of 80 kg. Rounding moves the time: numpy's order of sums gives 31.77 and 39.08 s."""
    L, steps = BODIES[scene] * OMEGA, -1
    with np.errstate(over="ignore", invalid="ignore"):
        while np.isfinite(L).all():
            L, steps = explicit(BODIES[scene], L, H), steps + 1
    line = printed(
        capsys, "race", scene, "--integrators", "explicit-euler", "--step", repr(H), "--seconds", "60", *AS_IN_POST
    )
    at = float(re.search(r"diverged at t = (\S+) s", line)[1])
    assert at == pytest.approx(steps * H, abs=0.5)
    assert at == pytest.approx(seconds, abs=0.5)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("scene", BODIES)
@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("implicit", implicit),
        ("implicit-torque", implicit),
        ("averaged", averaged),
        ("alternating", alternating),
    ],
)
def test_the_curves_of_omega_in_the_body(scene, name, step, capsys):
    """Post on ODE: the figure's curves for two minutes, step by step. Measured 3e-12."""
    found = table(capsys, scene, "--integrator", name, "--seconds", "120", "--every", repr(H), *AS_IN_POST)
    assert_allclose(omega_body(found)[1:], rates(step, BODIES[scene], 120), atol=1e-9)


def test_where_the_curves_end(capsys):
    """Implicit settles on x' at 1.61 rad/s, the average and the two in turn on it at 2.10: E stays near, |L| grows by
    half.

    Of the box of 80 kg they settle on z', the axis of its largest moment, at 3.53 and 3.57 rad/s.
    """
    ends = {}
    for scene in BODIES:
        for name in ("implicit", "averaged", "alternating"):
            found = table(capsys, scene, "--integrator", name, "--seconds", "400", "--every", "400", *AS_IN_POST)
            ends[scene, name] = omega_body(found)[-1]
    assert_allclose(ends["ode-blog", "implicit"], (1.61, 0, 0), atol=5e-3)
    for name in ("averaged", "alternating"):
        assert_allclose(ends["ode-blog", name], (2.10, 0, 0), atol=5e-3)
        assert_allclose(ends["box-80kg", name], (0, 0, 3.57), atol=5e-3)
    assert_allclose(ends["box-80kg", "implicit"], (0, 0, 3.53), atol=5e-3)


def test_the_average_is_nearly_the_implicit_motion():
    """Of the box, as the post says of this set of conditions: at most .69 rad/s apart, and both 2.4 from the truth."""

    def euler(_t, omega):
        return np.cross(BOX * omega, omega) / BOX

    times = np.arange(1, 60 * 60 + 1) * H
    exact = solve_ivp(euler, (0, 60), OMEGA, method="DOP853", rtol=1e-11, atol=1e-11, t_eval=times).y.T
    mean, one = rates(averaged, BOX, 60), rates(implicit, BOX, 60)
    assert np.abs(mean - one).max() == pytest.approx(0.686, abs=1e-3)
    assert min(np.abs(some - exact).max() for some in (mean, one)) > 2.3


def test_the_inertia_of_the_box_of_80_kg():
    """(1.33, 6.93, 7.73) kg m2, and no solid has (10, 4, 2)."""
    body = Scenario.preset("box-80kg").rigid_body()
    assert_allclose(body.principal_moments, BOX, rtol=1e-14)
    assert [short(float(moment)) for moment in body.principal_moments] == ["1.33", "6.93", "7.73"]
    assert ODE[1] + ODE[2] < ODE[0]
    assert_allclose(Scenario.preset("ode-blog").rigid_body().principal_moments, ODE, atol=0)


def test_the_readouts_of_the_papers_first_figure():
    """E(min) .1975 J, E(max) .8513 J: an ellipsoid of 1 kg, 1 x .5 x .2 m, at (0, 3, .3) rad/s."""
    I = np.array([0.25**2 + 0.1**2, 0.5**2 + 0.1**2, 0.5**2 + 0.25**2]) / 5
    L = np.linalg.norm(I * (0, 3, 0.3))
    snapshot = Session(Scenario.preset("paper-fig1")).snapshot()
    low, high = snapshot.energy_bounds
    assert (low, high) == (pytest.approx(L**2 / 2 / I.max(), rel=1e-12), pytest.approx(L**2 / 2 / I.min(), rel=1e-12))
    assert (f"{low:.4f}", f"{high:.4f}") == ("0.1975", "0.8513")
    assert snapshot.reading.energy == pytest.approx(0.5 * I @ np.array([0, 9, 0.09]), rel=1e-12)


def test_the_papers_second_figure_the_part_of_omega_along_l_stays(capsys):
    """The invariable plane: omega.L/|L| = 2E/|L|, at every time. Measured 4e-16."""
    found = table(capsys, "paper-fig2", "--seconds", "7", "--every", "0.1")
    omega = np.stack([found[f"omega_world_{axis}_rad_per_s"] for axis in "xyz"], axis=1)
    L = np.stack([found[f"angular_momentum_world_{axis}_kg_m2_per_s"] for axis in "xyz"], axis=1)
    size = np.linalg.norm(L, axis=1)
    along = np.sum(omega * L, axis=1) / size
    assert_allclose(along, 2 * found["rotational_energy_J"][0] / size[0], rtol=1e-13)


def matrix_step(kind, R, J, L, h):
    """Of dR/dt = Star(omega) R, omega = R J R^T L, nine sums."""

    def slope(M):
        return star(M @ np.diag(J) @ M.T @ L) @ M

    if kind == "euler":
        return R + h * slope(R)
    if kind == "backward-euler":
        found = R
        for _ in range(200):
            found = R + h * slope(found)
        return found
    a = slope(R)
    b = slope(R + h / 2 * a)
    c = slope(R + h / 2 * b)
    return R + h / 6 * (a + 2 * b + 2 * c + slope(R + h * c))


@pytest.mark.parametrize("kind", ["euler", "rk4", "backward-euler"])
def test_plain_methods_leave_the_rotations(kind, capsys):
    """Lecture: they do not respect rotation matrices. The column of the table beside |R^T R - 1| of nine plain sums."""
    found = table(capsys, "ode-blog", "--integrator", f"matrix-{kind}", "--seconds", "4", "--every", repr(H))
    R, drifts = np.eye(3), []
    for _ in range(240):
        R = matrix_step(kind, R, 1 / ODE, ODE * OMEGA, H)
        drifts.append(np.linalg.norm(R.T @ R - np.eye(3)))
    assert_allclose(found["orthogonality_error"][1:], drifts, rtol=1e-7, atol=1e-13)
    assert drifts[-1] > (1e-7 if kind == "rk4" else 0.5)  # 1e-6; 3.2 and .63
    again = table(capsys, "ode-blog", "--integrator", f"matrix-{kind}-orthonormal", "--seconds", "4", "--every", "1")
    assert "orthogonality_error" not in again  # it stays a rotation


def command_of(words):
    """The one in the manual's row that contains these words, as a list, without `poinsot`."""
    (row,) = (line for line in PAGE.read_text(encoding="utf-8").splitlines() if words in line)
    (command,) = re.findall(r"`(poinsot [^`]+)`", row)
    return shlex.split(command)[1:]


@pytest.mark.parametrize(("words", "degrees"), [("4.7 % of the angle at 45°", 45), ("15.2 % at 90°", 90)])
def test_what_the_fast_rotation_loses_is_printed(words, degrees, capsys):
    """Post on integrators: 2 atan(theta/2) in place of theta, which the row names and the command prints."""
    loss = 100 * (1 - 2 * np.arctan(np.radians(degrees) / 2) / np.radians(degrees))
    assert f"{loss:.1f} % " in words
    line = re.search(r"modified-jolt-fast: it turns by .*", printed(capsys, *command_of(words)))[0]
    place, less = re.search(r"in place of (\S+)°, (\S+) % less", line).groups()
    assert float(place) == degrees
    assert float(less) == pytest.approx(loss, abs=0.05)


def test_the_implicit_method_settles_on_z_of_the_box_of_80_kg(capsys):
    """The rows that the manual's command prints: those of the post's loop, and at last z' alone. Measured 9e-5."""
    command, *argv = command_of("settles on z′, at 3.53 rad/s")
    assert command == "simulate"
    found = omega_body(table(capsys, *argv))
    assert_allclose(found[-1], (0, 0, 3.53), atol=5e-3)
    assert_allclose(found[1:], rates(implicit, BOX, 60)[119::120], atol=1e-3)  # the step is 0.016667 s
    assert np.abs(found[1, :2]).max() > 0.3  # it was not there from the beginning


def commands():
    """Those of the manual's table."""
    return re.findall(r"`(poinsot [^`]+)`", PAGE.read_text(encoding="utf-8"))


def test_every_source_and_every_preset_that_belongs_to_one_stands_in_the_manual():
    text = PAGE.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| figure")]
    assert len(rows) >= 20
    assert all("`" in re.split(r"(?<!\\)\|", row)[2] for row in rows)  # each has a preset, a command or an integrator
    for name in ("paper-fig1", "paper-fig2", "paper-fig3", "ode-blog", "box-80kg", "race-of-five"):
        assert f"`poinsot {name}" in text
    windows = {command.split()[1] for command in commands()} - {"NAME", "--tour", *cli.COMMANDS}
    assert windows
    assert windows <= set(PRESETS)
    assert {command.split()[2] for command in commands() if "--tour" in command} <= set(tours())


@pytest.mark.parametrize("command", [c for c in commands() if c.split()[1] in ("race", "simulate")], ids=str)
def test_the_commands_of_the_manual_run(command, capsys):
    assert len(printed(capsys, *shlex.split(command)[1:]).splitlines()) > 2
