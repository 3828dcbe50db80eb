"""A session with five bodies, and how far they are from where they should be."""

from typing import Any

import numpy as np
import pytest

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

BODIES = """
[start]
angular_velocity = [0.05, 3, 0.05]
[playback]
speed = 1.0
[solver]
integration_period = 0.01
extra_substeps = 0
""" + "".join(
    f'[[bodies]]\nname = "b{n}"\nbody = {{shape = "moments", moments = [1.0, {1.05 + 0.2 * n:.2f}, 2.1]}}\n'
    f"start.orientation_deg = [{5 * n}, 0, 0]\n"
    for n in range(5)
)


def running(**values: Any) -> Session:
    scenario = Scenario.from_text(BODIES).with_values({name.replace("__", "."): v for name, v in values.items()})
    return Session(scenario)


def settle(session: Session) -> None:
    for _ in range(2000):
        session.snapshot()
        if not (session.scene.bodies is not None and session.scene.bodies.late) and session.playback._goal is None:
            return
        session.scene.advance(0.25)
    raise AssertionError("the bodies do not come to where they should be")


def worst(session: Session) -> float:
    """How far any body is from its exact motion, in quaternion and in omega over its size."""
    snapshot, scene = session.snapshot(), session.document.scenario
    assert len(snapshot.bodies) == len(scene.bodies)
    found = []
    for number, body in enumerate(snapshot.bodies):
        alone = scene.of_body(number)
        exact = FreeRotation(alone.rigid_body(), alone.start_state()).at(body.reading.time)
        assert body.reading.time == pytest.approx(snapshot.reading.time, abs=1e-9)
        q = body.reading.orientation_wxyz
        found.append(min(np.abs(q - sign * exact.orientation_wxyz).max() for sign in (1, -1)))
        found.append(np.abs(body.reading.omega_body - exact.omega_body).max() / 3.0)
        np.testing.assert_allclose(body.body.principal_moments, alone.rigid_body().principal_moments)
    return float(max(found))
