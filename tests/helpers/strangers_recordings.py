"""Recordings as strangers bring them, each with its right answer; nothing here is the program's.

The motions are scipy's (Euler's equations and the quaternion's, DOP853 at 1e-11) or those of integrators written here.
A number makes the file: what moves, the body, the names, units and conventions of the table, its noise and digits.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

KINDS = ("free", "toss", "drag", "engine", "steered", "toss", "free", "pulse", "hand", "air", "spin", "mixed")
NAMES = {  # which integrators of the program each of the ones below is
    "explicit": {"explicit-euler", "explicit-capped"},
    "one Newton step": {"implicit-bullet"},
    "midpoint": {"implicit-midpoint"},
    "no gyroscopic torque": {"no-gyroscopic"},
    "length put back": {"jolt", "jolt-rotation"},
    "momentum in space": {"first-order", "baraff-witkin-euler", "matrix-euler-orthonormal"},
    "Heun": set(),
}
TIMES = {"px4": "timestamp", "euroc": "#timestamp [ns]", "phyphox": '"Time (s)"', "betaflight": "time (us)"}
PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


@dataclass
class Stranger:
    """A file and what is true of it."""

    text: str
    kind: str
    ratios: np.ndarray | None  # of the moments, rising, of the largest
    seconds: float
    conventions: dict[str, str]  # what a declaration would say
    spans: list[tuple[float, float]] = field(default_factory=list)  # of the tosses [s]
    pulse: tuple[float, float] | None = None
    reversed_axes: str = ""
    engine: str | None = None
    visible: bool = True  # an error of the integrator, of more than noise


@dataclass
class Motion:
    t: np.ndarray
    rates: np.ndarray  # in the body [rad/s]
    turn: Rotation | None  # world from body
    acceleration: np.ndarray | None = None  # [m/s²]


def body(random: np.random.Generator) -> np.ndarray:
    """Moments of a body without two that are nearly equal, rising, of the largest."""
    while True:
        a, b, c = random.uniform(0.05, 1.0, 3)
        moments = np.sort(np.array((a + b, b + c, a + c)) / max(a + b, b + c, a + c))
        if np.diff(moments).min() > 0.06:
            return moments


def start(random: np.random.Generator, speed: float) -> np.ndarray:
    """A start about no principal axis: one that tumbles, or turns nearly about the middle axis."""
    if random.random() < 0.3:
        return speed * np.array((0.08, 1.0, 0.08))
    while True:
        direction = random.normal(size=3)
        direction /= np.linalg.norm(direction)
        if abs(direction).min() > 0.1:
            return speed * direction


def turned_by(rates: np.ndarray, h: float) -> np.ndarray:
    """Quaternion (x, y, z, w) of a turn by `rates` for `h`."""
    return Rotation.from_rotvec(h * rates).as_quat()


def solved(moments, omega, turn: Rotation, t, torque=lambda t, omega: 0.0) -> Motion:
    def derivative(time: float, y: np.ndarray) -> np.ndarray:
        a, b, c, x, y_, z, w = y
        p, q, r = moments * y[:3]
        spin = (np.array((q * c - r * b, r * a - p * c, p * b - q * a)) + torque(time, y[:3])) / moments
        turning = (w * a + y_ * c - z * b, w * b + z * a - x * c, w * c + x * b - y_ * a, -x * a - y_ * b - z * c)
        return np.concatenate((spin, 0.5 * np.array(turning)))

    begin = np.concatenate((omega, turn.as_quat()))
    found = solve_ivp(derivative, (t[0], t[-1]), begin, "DOP853", t, rtol=1e-11, atol=1e-13, max_step=t[-1] / 30)
    return Motion(t, found.y[:3].T, Rotation.from_quat(found.y[3:].T))


def waves(random: np.random.Generator, slowest: float, fastest: float):
    """A smooth function of time with three components of rms 1."""
    frequency, phase = random.uniform(slowest, fastest, (8, 3)), random.uniform(0.0, 2 * np.pi, (8, 3))
    return lambda t: 0.5 * np.sin(2 * np.pi * frequency * np.asarray(t)[..., None, None] + phase).sum(axis=-2)


def followed(t: np.ndarray, rates, turn: Rotation) -> Motion:
    """The motion of a body that is turned by `rates(t)`, whatever torque that takes."""
    parts = 16
    middles = (t[:-1, None] + (np.arange(parts) + 0.5) * (t[1] - t[0]) / parts).ravel()
    steps = Rotation.from_rotvec(rates(middles) * (t[1] - t[0]) / parts)
    turns = [turn]
    for k in range(len(t) - 1):
        for step in steps[k * parts : (k + 1) * parts]:
            turn = turn * step
        turns.append(turn)
    return Motion(t, rates(t), Rotation.concatenate(turns))


def stepped(engine: str, moments, omega, turn: Rotation, h: float, rows: int) -> Motion:
    """What the integrator called `engine` makes of it."""
    L = turn.apply(moments * omega)
    rates, turns = [omega], [turn]
    change = lambda omega: np.cross(moments * omega, omega) / moments  # noqa: E731
    for _ in range(rows - 1):
        new, by = omega + h * change(omega), None
        if engine == "one Newton step":
            x, y, z = omega
            p, q, r = moments * omega
            cross = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0))) * moments
            jacobian = np.diag(moments) + h * (cross - np.array(((0, -r, q), (r, 0, -p), (-q, p, 0))))
            new = omega + np.linalg.solve(jacobian, h * moments * change(omega))
        elif engine == "midpoint":
            for _ in range(60):
                new = omega + h * change((omega + new) / 2)
            half = h / 2 * (omega + new) / 2
            by = Rotation.from_quat((*half, 1.0))
        elif engine == "no gyroscopic torque":
            new = omega
        elif engine == "length put back":
            new *= np.linalg.norm(moments * omega) / np.linalg.norm(moments * new)
        elif engine == "momentum in space":
            by = Rotation.from_rotvec(h * omega)
            new = (turn * by).inv().apply(L) / moments
        elif engine == "Heun":
            by = Rotation.from_rotvec(h * (omega + new) / 2)
            new = omega + h / 2 * (change(omega) + change(new))
        omega, turn = new, turn * (Rotation.from_rotvec(h * new) if by is None else by)
        rates.append(omega)
        turns.append(turn)
    return Motion(h * np.arange(rows), np.array(rates), Rotation.concatenate(turns))


def tossed(random, moments, h: float, drag: float) -> tuple[Motion, list[tuple[float, float]]]:
    """One or two tosses, between a hand's shaking, with the accelerometer off the centre of mass."""
    rates, accelerations, spans, before = [], [], [], np.zeros(3)
    place = random.normal(size=3) * 0.02
    for toss in (*range(random.integers(1, 3)), None):
        t = np.arange(round(random.uniform(1.2, 2.0) / h)) * h
        after = np.zeros(3) if toss is None else start(random, random.uniform(7.0, 18.0))
        leaving, arriving = np.clip(1 - t / 0.25, 0, 1)[:, None] ** 2, np.clip(1 - (t[-1] + h - t) / 0.22, 0, 1) ** 2
        held = 1.2 * waves(random, 0.3, 3.0)(t) * (1 - leaving) * (1 - arriving[:, None])
        rates.append(held + before * leaving + after * arriving[:, None])
        shaken = np.array((0.0, 0.0, 9.81)) + 1.2 * waves(random, 0.4, 3.0)(t)
        accelerations.append(shaken + 25.0 * arriving[:, None] * (0.0, 0.2, 1.0) + 30.0 * leaving**4)
        if toss is not None:
            begin = sum(map(len, rates)) * h
            flight = np.arange(round(random.uniform(0.5, 1.0) / h)) * h
            omega = solved(moments, after, Rotation.identity(), flight, lambda t, w: -drag * moments * w).rates
            spin = np.gradient(omega, h, axis=0)
            rates.append(omega)
            accelerations.append(np.cross(omega, np.cross(omega, place)) + np.cross(spin, place))
            spans.append((begin, begin + flight[-1]))
            before = omega[-1]
    omega = np.concatenate(rates)
    return Motion(np.arange(len(omega)) * h, omega, None, np.concatenate(accelerations)), spans


def stranger(number: int) -> Stranger:
    """Return the file of this number."""
    random = np.random.default_rng((33, number))
    kind = KINDS[number % len(KINDS)]
    pick = lambda *choices: choices[random.integers(len(choices))]  # noqa: E731
    moments, turn = body(random), Rotation.random(random_state=int(random.integers(2**31)))
    speed, a_turn, rows = pick(0.3, 2.0, 6.0, 12.0), random.uniform(16.0, 60.0), int(random.integers(90, 220))
    h = float(f"{2 * np.pi / speed / a_turn:.2g}")
    t, omega = np.arange(rows) * h, start(random, speed)
    says = Stranger("", kind, moments, 0.0, {})
    columns, sensor = pick("both", "both", "orientations", "rates"), False
    if kind in ("drag", "air"):
        lost = random.uniform(0.02, 0.4)
        k = -np.log1p(-lost) / t[-1]
        if kind == "drag":
            torque = lambda t, w: -k * moments * w  # noqa: E731
        else:
            torque = lambda t, w: -k / speed * np.linalg.norm(w) * moments * w  # noqa: E731
        motion = solved(moments, omega, turn, t, torque)
    elif kind == "pulse":
        at, width = t[-1] * random.uniform(0.4, 0.6), t[-1] * 0.01
        push = random.normal(size=3)
        push *= 0.4 * np.linalg.norm(moments * omega) / np.linalg.norm(push) / width / np.sqrt(2 * np.pi)
        motion = solved(moments, omega, turn, t, lambda t, w: push * np.exp(-0.5 * ((t - at) / width) ** 2))
        says.pulse = (at - 3 * width, at + 3 * width)
    elif kind in ("steered", "hand"):
        says.ratios = None
        if kind == "hand":
            h, sensor, columns = 0.01, True, pick("rates", "rates", "both")
            t, speed = np.arange(rows) * h * 2, 2.5
        wave = waves(random, 0.3, 2.5) if kind == "hand" else waves(random, 0.02 * speed, 0.12 * speed)
        motion = followed(t, lambda t: speed / np.sqrt(3) * wave(t), turn)
        if kind == "hand":
            motion.acceleration = motion.turn.inv().apply((0.0, 0.0, 9.81) + 0.6 * waves(random, 0.3, 2.5)(t))
    elif kind == "spin":
        says.ratios = None
        axis = pick(0, 2)
        motion = solved(moments, speed * np.eye(3)[axis], turn, t)
    elif kind == "toss":
        h, sensor, columns = pick(0.005, 0.01), True, "rates"
        motion, says.spans = tossed(random, moments, h, pick(0.0, 0.0, 0.1, 0.25))
        if random.random() < 0.5:
            motion.acceleration = None
    elif kind == "engine":
        says.engine = pick(*NAMES)
        columns = pick("both", "both", "orientations")
        motion = stepped(says.engine, moments, omega, turn, h, rows)
        errors = np.linalg.norm(motion.rates - solved(moments, omega, turn, t).rates, axis=1)
        says.visible = errors.max() > 0.02 * speed
    else:
        motion = solved(moments, omega, turn, t)
    if kind == "mixed":
        columns, says.reversed_axes = "both", pick("x and y", "y and z", "x and z")
    return written(says, motion, columns, sensor, random, pick)


def written(says: Stranger, motion: Motion, columns: str, sensor: bool, random, pick) -> Stranger:
    """Fill in the text of the table, and what is true of it."""
    axes = Rotation.random(random_state=int(random.integers(2**31)))  # of the sensor in the body
    t, rates, turn = motion.t, axes.apply(motion.rates), None if motion.turn is None else motion.turn * axes.inv()
    noise = pick(0.002, 0.01) if sensor else 0.0 if says.kind == "engine" else pick(0.0, 1e-5, 1e-3)
    rates = rates + noise * (1.0 if sensor else np.linalg.norm(rates, axis=1).mean()) * random.normal(size=rates.shape)
    if sensor and random.random() < 0.2:
        rates = rates + 0.01 * random.normal(size=3)  # the gyroscope's bias
    if turn is not None:
        turn = turn * Rotation.from_rotvec(noise * random.normal(size=rates.shape))
    has_turn, has_rates = columns != "rates", columns != "orientations"
    style = pick(
        *{
            "both": ("plain", "plain", "xyzw", "px4", "ros", "nameless", "matrix"),
            "orientations": ("plain", "tum", "px4", "euroc", "euler", "matrix", "nameless"),
            "rates": ("phyphox", "phyphox", "plain", "betaflight", "euroc", "px4", "nameless"),
        }[columns]
    )
    usual = style in ("plain", "xyzw", "nameless")
    unit = "deg/s" if style == "betaflight" or (usual and random.random() < 0.3) else "rad/s"
    time_unit = {"px4": "us", "betaflight": "us", "euroc": "ns"}.get(
        style, pick("s", "s", "ms", "us") if usual else "s"
    )
    order = "xyzw" if style in ("xyzw", "ros", "tum") else "wxyz"
    inverse = columns == "both" and usual and not says.reversed_axes and random.random() < 0.3
    frame = "world" if columns == "both" and usual and not says.reversed_axes and random.random() < 0.2 else "body"
    says.conventions = {
        "order": order, "direction": "body from world" if inverse else "world from body",
        "frame": frame, "rates": unit, "time": time_unit,
    }  # fmt: skip
    told = turn.apply(rates) if frame == "world" else rates
    told = told * [-1.0 if axis in says.reversed_axes.split(" and ") else 1.0 for axis in "xyz"]
    told = np.degrees(told) if unit == "deg/s" else told
    digits = pick("%.4g", "%.6g", "%.9g", "%.15g")
    if says.kind == "engine" and digits == "%.4g":
        digits = "%.6g"
    clock = t + (pick(0.0, 12.5) if style not in ("tum", "euroc") else 1403636579.75)
    form = "%.6f" if style == "tum" else "%.9g" if time_unit == "s" else "%.0f"
    text = [[form % (x * PER_SECOND[time_unit]) for x in clock]]
    names = [TIMES.get(style, "t")]

    def add(numbers: np.ndarray, *called: str, form: str = digits) -> None:
        names.extend(called)
        text.extend([form % x for x in column] for column in numbers.T)

    if style == "tum":
        add(np.cumsum(waves(random, 0.05, 0.5)(t), axis=0) * 0.02, "tx", "ty", "tz", form="%.4f")
    if has_turn and style == "euler":
        add(turn.as_euler("ZYX", degrees=True)[:, ::-1], "roll_deg", "pitch_deg", "yaw_deg")
    elif has_turn and style == "matrix":
        add(turn.as_matrix().reshape(-1, 9), *(f"r{i}{j}" for i in "123" for j in "123"))
    elif has_turn:
        q = (turn.inv() if inverse else turn).as_quat()
        q = q if order == "xyzw" else np.roll(q, 1, axis=1)
        forms = {"px4": "q[{}]", "ros": "orientation.{}", "euroc": " q_RS_{} []"}
        add(q, *(forms.get(style, "q{}").format(c) for c in ("0123" if style == "px4" else order)))
    if has_rates:
        forms = {
            "px4": "gyro_rad[{}]", "ros": "angular_velocity.{}", "euroc": "w_RS_S_{} [rad s^-1]",
            "phyphox": '"Gyroscope {} (rad/s)"', "betaflight": "gyroADC[{}] (deg/s)",
        }  # fmt: skip
        called = [forms.get(style, "w{}").format(c) for c in ("012" if style in ("px4", "betaflight") else "xyz")]
        if style == "px4" and has_turn:
            called = ["rollspeed", "pitchspeed", "yawspeed"]
        add(told, *called, form="%.0f" if style == "betaflight" else digits)
    if motion.acceleration is not None and style in ("phyphox", "plain", "euroc"):
        forms = {"euroc": "a_RS_S_{} [m s^-2]", "phyphox": '"Acceleration {} (m/s^2)"'}
        felt = axes.apply(motion.acceleration) + 0.03 * random.normal(size=rates.shape)
        add(felt, *(forms.get(style, "a{}").format(c) for c in "xyz"), form="%.5g")
    between = " " if style == "tum" else ","
    lines = [] if style in ("nameless", "tum") else [between.join(names)]
    says.text = "\n".join([*lines, *(between.join(row) for row in zip(*text, strict=True))]) + "\n"
    says.seconds = float(t[-1])
    return says
