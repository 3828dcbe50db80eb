"""The motion of a page: what its closed form needs, or samples where loads or an integrator's errors act."""

import base64
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.integrators import INTEGRATORS
from viewer.physics.poinsot.spin import circulation
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

MOST_BYTES = 2_000_000  # of the samples, as text
PLAYED = 60.0  # s of playing at the scene's speed that are sampled
MOST_STEPS = 100_000  # in that time; a longer motion ends early
ERROR = 1e-6  # rad, and of the largest |omega|: the error of the samples, unless the steps lie further apart
NODES = 6  # samples through which the page's polynomials go
PIECE = 1000  # steps at most
RUN = 256  # steps between two looks at whether the motion has diverged

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Table = dict[str, Array]  # rows of quantities, by their names in the page


def motion_data(scenario: Scenario, time: float = 0.0) -> dict[str, Any]:
    """Return the motion of a scene of one body as `assets/page/motion.js` takes it; raises InputError if it has none.

    Samples reach at least to `time` [s] unless the motion diverges before or they would be too large. Their `error` is
    the largest at any step: in rad or, of other quantities, as a fraction of the largest value nearby.
    """
    simulation = scenario.simulation()
    start = simulation.state
    common = {"moments": simulation.body.principal_moments.tolist(), "position": start.position.tolist()}
    if simulation.loads.free and simulation.dense:
        return common | {
            "kind": "free",
            "orientation": start.orientation_wxyz.tolist(),
            "omegaBody": start.omega_body.tolist(),
            "velocity": list(scenario.start.linear_velocity),
        }
    played = PLAYED * Session(scenario, playing=False).scene.speed / simulation.step
    count = ceil(max(1.0, min(played, MOST_STEPS), time / simulation.step))
    return common | {"kind": "samples"} | _samples(simulation, count, scenario.moves)


def _packed(values: NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode()


def _samples(simulation: Simulation, count: int, moves: bool) -> dict[str, Any]:
    """Return samples of so many steps, in pieces, each as dense as it needs: the time it begins, and its first sample.

    Where a load goes on or off, a new piece begins, as no polynomial goes through a jump.
    """
    step, table = simulation.step, _table(simulation, count, moves)
    end = len(table["orientation"]) * step
    edges = [0.0, *sorted(set(simulation.loads.edges(0.0, end))), end]
    most = MOST_BYTES * 3 // 4 // (4 + 4 * sum(rows.shape[1] for rows in table.values()))
    chosen, pieces, worst = np.zeros(0, np.int64), [], 0.0
    for begin, until in pairwise(edges):
        after = ceil(until / step)
        for first in range(ceil(begin / step), after, PIECE):
            if len(chosen) < most:
                last = min(first + PIECE + 1, after)
                steps, error = _nodes({name: rows[first:last] for name, rows in table.items()})
                pieces.append((begin, len(chosen)))
                begin = (first + PIECE) * step
                chosen, worst = np.concatenate((chosen, first + steps)), max(worst, error)
    chosen = chosen[:most]
    until = float(chosen[-1] * step)
    return {
        "step": step,
        "until": until,
        "flips": [flip for flip in _flips(simulation, table["omegaBody"]) if flip <= until],
        "error": worst,
        "pieces": pieces,
        "steps": _packed(chosen.astype("<u4")),
        "rows": {name: _packed(rows[chosen].astype("<f4")) for name, rows in table.items()},
    }


def _table(simulation: Simulation, count: int, moves: bool) -> Table:
    """Return what moves, at each step of the motion; at fewer if it diverges."""
    parts, place = [simulation.states_of()], simulation.state.position
    try:
        for done in range(0, count, RUN):
            parts.append(simulation.sampled(min(count - done, RUN)))
    except NumericalOverflow:
        pass
    q = np.concatenate([states.orientation_wxyz for states in parts])
    turned = np.sum(q[1:] * q[:-1], axis=1) < 0.0
    q[1:] *= np.where(np.cumsum(turned) % 2 == 1, -1.0, 1.0)[:, None]  # neighbours on one hemisphere
    table = {"orientation": q, "omegaBody": np.concatenate([states.omega_body for states in parts])}
    if moves:
        table["position"] = np.concatenate([place[None], *(states.position for states in parts[1:])]) - place
    if INTEGRATORS[simulation.integrator].matrix:  # L is not I omega where the matrix is no rotation
        table["momentumBody"] = np.concatenate([states.momentum_body for states in parts])
    return table


def _flips(simulation: Simulation, rates: Array) -> list[float]:
    """Return the times at which the sense about the middle axis reverses in a motion that begins as a free tumbling."""
    moments = simulation.body.principal_moments
    if not simulation.loads.free or not circulation(moments, moments * rates[0]).flips:
        return []
    along = rates[:, np.argsort(moments)[1]]
    before = np.flatnonzero(along[:-1] * along[1:] < 0.0)
    between = along[before] / (along[before] - along[before + 1])
    return [float(time) for time in simulation.step * (before + between)]


def _nodes(table: Table) -> tuple[Numbers, float]:
    """Return the rows of a smooth piece that become samples, and the error at the others.

    The samples lie as far apart as the error allows, the last two perhaps closer.
    """
    last = len(table["orientation"]) - 1

    def every(steps: int) -> Numbers:
        return np.union1d(np.arange(0, last, steps), [last])

    near, far = 1, max(2, last // NODES)
    while far - near > 1:
        middle = (near + far) // 2
        near, far = (middle, far) if _error(table, every(middle)) <= ERROR else (near, middle)
    return every(near), _error(table, every(near))


def _error(table: Table, nodes: Numbers) -> float:
    """Return the largest error, in rad or as a fraction of the largest value, of what a page finds between samples."""
    count, steps = min(NODES, len(nodes)), np.arange(len(table["orientation"]))
    begin = np.searchsorted(nodes, steps, side="right") - NODES // 2
    around = np.clip(begin, 0, len(nodes) - count)[:, None] + np.arange(count)
    places = nodes[around].astype(np.float64)
    apart = places[:, :, None] - places[:, None, :] + np.eye(count)
    ahead = np.where(np.eye(count, dtype=bool), 1.0, steps[:, None, None] - places[:, None, :])
    weights = np.prod(ahead / apart, axis=2)
    worst = 0.0
    for name, rows in table.items():
        found = np.einsum("ni,nik->nk", weights, rows[nodes].astype(np.float32)[around])
        if name == "orientation":  # a turn is twice as far as its quaternion
            found *= 2.0 / np.linalg.norm(found, axis=1, keepdims=True)
            rows = 2.0 * rows
        size = 1.0 if name == "orientation" else np.linalg.norm(rows, axis=1).max() or 1.0
        worst = max(worst, float(np.linalg.norm(found - rows, axis=1).max() / size))
    return worst
