"""The motion of a page: what its closed form needs, or samples where loads or an integrator's errors act."""

import base64
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def motion_data(scenario: Scenario, time: float = 0.0) -> dict[str, Any]:
    """Return the motion of a scene of one body as `assets/page/motion.js` takes it; raises InputError if it has none.

    Samples reach at least to `time` [s] unless the motion diverges before or they would be too large.
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
    """Return samples of so many steps; a row has orientation, omega_body and, if it `moves`, how far the body has come.

    The samples are in pieces, each as dense as it needs; a piece begins at a time [s] with the sample of that number.
    Where a load goes on or off, a new piece begins, as no polynomial goes through a jump.
    """
    step = simulation.step
    table = _table(simulation, count, moves)
    end = len(table) * step
    edges = [0.0, *sorted(set(simulation.loads.edges(0.0, end))), end]
    most = MOST_BYTES * 3 // 4 // (4 + 4 * table.shape[1])
    chosen, pieces, worst = np.zeros(0, np.int64), [], 0.0
    for begin, until in pairwise(edges):
        after = ceil(until / step)
        for first in range(ceil(begin / step), after, PIECE):
            if len(chosen) < most:
                steps, error = _nodes(table[first : min(first + PIECE + 1, after)])
                pieces.append((begin, len(chosen)))
                begin = (first + PIECE) * step
                chosen, worst = np.concatenate((chosen, first + steps)), max(worst, error)
    chosen = chosen[:most]
    return {
        "step": step,
        "until": float(chosen[-1] * step),
        "error": worst,
        "pieces": pieces,
        "steps": _packed(chosen.astype("<u4")),
        "rows": _packed(table[chosen].astype("<f4")),
    }


def _table(simulation: Simulation, count: int, moves: bool) -> Array:
    """Return a row for each step of the motion, fewer if it diverges."""
    q, omega, place = simulation.state.orientation_wxyz, simulation.state.omega_body, simulation.state.position
    rows = [np.concatenate((q, omega, place))[None]]
    try:
        for done in range(0, count, RUN):
            states = simulation.sampled(min(count - done, RUN))
            assert states.position is not None
            rows.append(np.column_stack((states.orientation_wxyz, states.omega_body, states.position - place)))
    except NumericalOverflow:
        pass
    table = np.concatenate(rows)[:, : 10 if moves else 7]
    table[0, 7:] = 0.0
    turned = np.sum(table[1:, :4] * table[:-1, :4], axis=1) < 0.0
    table[1:, :4] *= np.where(np.cumsum(turned) % 2 == 1, -1.0, 1.0)[:, None]  # neighbours on one hemisphere
    return table


def _nodes(table: Array) -> tuple[Numbers, float]:
    """Return the rows of a smooth piece that become samples, and the error at the others.

    The samples lie as far apart as the error allows, the last two perhaps closer.
    """
    last = len(table) - 1

    def every(steps: int) -> Numbers:
        return np.union1d(np.arange(0, last, steps), [last])

    near, far = 1, max(2, len(table) // NODES)
    while far - near > 1:
        middle = (near + far) // 2
        near, far = (middle, far) if _error(table, every(middle)) <= ERROR else (near, middle)
    return every(near), _error(table, every(near))


def _error(table: Array, nodes: Numbers) -> float:
    """Return the largest error, in rad or as a fraction of the largest value, of what a page finds between samples."""
    count = min(NODES, len(nodes))
    steps = np.arange(len(table))
    begin = np.searchsorted(nodes, steps, side="right") - NODES // 2
    around = np.clip(begin, 0, len(nodes) - count)[:, None] + np.arange(count)
    places = nodes[around].astype(np.float64)
    apart = places[:, :, None] - places[:, None, :] + np.eye(count)
    ahead = np.where(np.eye(count, dtype=bool), 1.0, steps[:, None, None] - places[:, None, :])
    weights = np.prod(ahead / apart, axis=2)
    found = np.einsum("ni,nik->nk", weights, table[nodes].astype(np.float32)[around])
    found[:, :4] /= np.linalg.norm(found[:, :4], axis=1, keepdims=True)
    away = found - table
    parts = (slice(0, 4), 2.0), (slice(4, 7), 1.0), (slice(7, 10), 1.0)  # a turn is twice as far as its quaternion
    sizes = [np.linalg.norm(table[:, part], axis=1).max() or 1.0 for part, _ in parts]
    errors = [scale * np.linalg.norm(away[:, part], axis=1).max() for part, scale in parts]
    return float(max(error / size for error, size in zip(errors, sizes, strict=True)))
