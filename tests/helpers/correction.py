"""The paper's formula of the correction, written out in numpy, and what a picture says of it."""

import re

import numpy as np

from viewer.scenario.scenario import Scenario
from viewer.scene.description import SceneDescription
from viewer.session.session import Session


def running(preset: str = "paper-fig1-fine", time: float = 0.0, **changes: object) -> Session:
    scenario = Scenario.preset(preset).with_values({path.replace("__", "."): value for path, value in changes.items()})
    session = Session(scenario, playing=False)
    session.run_to(time)
    return session


def factor_of(scene: SceneDescription) -> float:
    (label,) = (label for label in scene.labels if label.text.startswith("correction"))
    found = re.fullmatch(r"correction enlarged up to (\d+)(?:·10([⁰¹²³⁴⁵⁶⁷⁸⁹]+))? times", label.text)
    assert found is not None
    power = "".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(figure)) for figure in found[2] or "⁰")
    return float(found[1]) * 10.0 ** int(power)


def rotation(vector: np.ndarray) -> np.ndarray:
    """That turns by the length of a vector about it (Rodrigues)."""
    angle = np.linalg.norm(vector)
    x, y, z = vector / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def omega_led_back(session: Session) -> np.ndarray:
    """How far (3,) the next step's phi leads omega's tip in space [rad/s]: the paper's phi, by a difference that is
    made exact by linearity: phi is far too small to be seen in omega itself."""
    snapshot = session.snapshot()
    now, solver = snapshot.reading, session.scenario.solver
    moments, L = snapshot.body.principal_moments, now.angular_momentum_world
    in_body = now.rotation_world_from_body.T @ L
    omega = in_body / moments
    excess = 0.5 * omega @ in_body - now.target_energy
    i_c = snapshot.corrector
    i_c = min(1.0, i_c * 1.1) if abs(excess) > 1e-9 * now.target_energy else max(1e-4, i_c * 0.9)
    across = np.cross(omega, in_body)
    phi = -i_c * excess * across / (across @ across)

    def tip(turn: np.ndarray) -> np.ndarray:
        turned = now.rotation_world_from_body @ rotation(turn)
        return turned @ ((turned.T @ L) / moments)

    enlarged = 1e-4 / np.linalg.norm(phi)
    step = solver.step * omega
    return (tip(step + enlarged * phi) - tip(step - enlarged * phi)) / (2.0 * enlarged)
