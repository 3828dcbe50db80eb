"""The paper's stabilisation as a toggle: its constants, and its corrector i_c against a plain loop of the paper's
Fig. 4."""

from math import cos, sin

import numpy as np
import pytest
from helpers.playing import Clock

from viewer.common.errors import InputError
from viewer.race.sweep import run_task, tasks
from viewer.race.trajectory import Course
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane
from viewer.session.plot_data import NAMES, PlotData
from viewer.session.session import Session

PAPER = Scenario.preset("paper-fig1-fine")
STEP = 0.002
COARSE = {"solver.integration_period": STEP, "solver.extra_substeps": 0, "solver.energy_tolerance": 3e-7}


def session(**values: object) -> Session:
    changes = {path.replace("__", "."): value for path, value in values.items()}
    return Session(PAPER.with_values({**COARSE, **changes}), playing=False, clock=Clock())


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.array([w, *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def rotation(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def fig4(steps: int, i_0: float, k1: float, k2: float, k_e: float) -> tuple[np.ndarray, np.ndarray]:
    """(i_c, relative errors of the energy), each after every step: the paper's diagram, box by box."""
    moments, omega = np.array([0.0145, 0.052, 0.0625]), np.array([0.0, 3.0, 0.3])
    q, L, h = np.array([1.0, 0.0, 0.0, 0.0]), moments * omega, STEP
    energy = 0.5 * omega @ (moments * omega)
    i_c, found, errors = i_0, [], []
    for _ in range(steps):
        in_body = rotation(q).T @ L
        omega = in_body / moments
        excess = 0.5 * omega @ in_body - energy
        i_c = min(1.0, i_c * k2) if abs(excess) > k_e * energy else max(i_0, i_c * k1)
        across = np.cross(omega, in_body)
        turn = h * omega - i_c * excess * across / (across @ across)
        angle = np.linalg.norm(turn)
        q = product(q, np.array([cos(angle / 2), *(sin(angle / 2) / angle * turn)]))
        q /= np.linalg.norm(q)
        after = rotation(q).T @ L / moments
        found.append(i_c)
        errors.append(0.5 * after @ (moments * after) / energy - 1.0)
    return np.array(found), np.array(errors)


@pytest.mark.parametrize(
    ("i_0", "k1", "k2"), [(1e-4, 0.9, 1.1), (1e-3, 0.5, 1.5), (0.02, 0.99, 1.01)], ids=["ours", "quick", "slow"]
)
def test_i_c_is_that_of_a_plain_loop_of_fig_4(i_0: float, k1: float, k2: float) -> None:
    steps = 3000
    constants = {"least_corrector": i_0, "lessen_by": k1, "amplify_by": k2}
    running = session(**{f"solver__{name}": value for name, value in constants.items()})
    plots = PlotData(running.motion.checkpoints)
    seen = []
    for _ in range(steps):
        running.playback.step_once()
        snapshot = running.snapshot()
        seen.append((snapshot.corrector, snapshot.reading.energy / snapshot.reading.target_energy - 1.0))
    fractions, errors = fig4(steps, i_0, k1, k2, 3e-7)
    assert len(np.unique(np.sign(np.diff(fractions)))) == 3  # it is amplified, lessened, and stays at a bound
    np.testing.assert_allclose([entry[0] for entry in seen], fractions, rtol=1e-12)
    np.testing.assert_allclose([entry[1] for entry in seen], errors, atol=3e-12)
    while not plots.follow():
        pass
    low, _, level = plots.between(0.0, 1e9, 10**6)[1]
    column = low[:, 1 + NAMES.index("corrector")]
    assert level == 0
    assert column[0] == i_0
    wanted = np.round(low[1:, 0] / STEP).astype(int) - 1
    np.testing.assert_allclose(column[1:], fractions[wanted], rtol=1e-12)


def test_i_c_is_plotted_only_while_the_gradient_corrects() -> None:
    running = session()
    running.scene.run_on_to(1.0)
    running.change({"solver.stabilisation": "closest-point"})
    running.scene.run_on_to(2.0)
    plots = PlotData(running.motion.checkpoints)
    while not plots.follow():
        pass
    low, _, _ = plots.between(0.0, 1e9, 10**6)[1]
    known = np.isfinite(low[:, 1 + NAMES.index("corrector")])
    assert known[low[:, 0] < 0.999].all()
    assert not known[low[:, 0] > 1.001].any()


def test_the_constants_act_at_once_and_are_undone_and_saved() -> None:
    running = session(solver__largest_turn=0.05)
    running.scene.run_on_to(4.0)
    untouched = running.snapshot().reading.orientation_wxyz
    running.playback.seek(2.0)
    before = running.snapshot().corrector
    running.change({"solver.least_corrector": 0.9})
    assert running.snapshot().corrector == max(before, 0.9)
    running.scene.run_on_to(4.0)
    assert np.any(running.snapshot().reading.orientation_wxyz != untouched)
    assert Scenario.from_text(running.document.scenario.to_text()).solver.least_corrector == 0.9
    running.undo()
    assert running.scenario.solver.least_corrector == PAPER.solver.least_corrector
    running.scene.run_on_to(4.0)
    np.testing.assert_array_equal(running.snapshot().reading.orientation_wxyz, untouched)


def test_the_energy_climbs_while_it_is_off_and_comes_back() -> None:
    def error() -> float:
        return abs(running.snapshot().reading.energy / running.snapshot().reading.target_energy - 1.0)

    running = Session(PAPER, playing=False, clock=Clock())
    running.scene.run_on_to(3.0)
    assert error() < 1e-7  # measured 2.4e-9
    running.change({"solver.stabilisation": "off"})
    running.scene.run_on_to(8.0)
    assert error() > 3e-4  # measured 5.6e-4
    running.change({"solver.stabilisation": "gradient"})
    running.scene.run_on_to(8.05)
    assert error() < 1e-7


def test_the_lanes_of_race_and_sweep_have_the_scenes_constants() -> None:
    lanes, values = ("first-order+gradient",), []
    for least in (1e-4, 1.0):
        scene = PAPER.with_values(
            {"solver.least_corrector": least, "race.show": "ghosts", "race.lanes": lanes, "solver.largest_turn": 1.0}
        )
        running = Session(scene, playing=False, clock=Clock())
        running.scene.run_on_to(1.0)
        (task,) = tasks(Course.of(scene, steps_per_rotation=100.0, seconds=1.0), [Lane.parse(lanes[0])], [100.0])
        values.append((running.snapshot().lanes[0].energy_error, run_task(task).energy))
    (live, swept), (other_live, other_swept) = values
    assert abs(other_live) < 0.3 * abs(live)  # measured .16
    assert other_swept < 0.3 * swept


def test_a_constant_out_of_range_is_refused() -> None:
    with pytest.raises(InputError, match=r"solver\.lessen_by: 1\.5 is outside 0\.01 to 1"):
        PAPER.with_value("solver.lessen_by", 1.5)
