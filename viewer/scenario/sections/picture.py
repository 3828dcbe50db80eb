"""The sections of a scene that make its picture: clock, view, what is drawn, stereo and the camera of a film.

Every field is declared here or in `motion`, once: controls, checks and documentation are made from it.
"""

from dataclasses import dataclass

from viewer.scenario.choices.anaglyph import GLASSES, METHODS
from viewer.scenario.choices.quality import AUTO, QUALITIES
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.fields import choice, number, rows, switch, vector

# where a field has an effect
ANAGLYPH = ("stereo.mode", tuple(m.name for m in STEREO_MODES.values() if m.layout == "anaglyph"))
TWO_EYES = ("stereo.mode", tuple(m.name for m in STEREO_MODES.values() if len(m.eyes) == 2))


@dataclass(frozen=True)
class Playback:
    """How fast the motion is shown."""

    speed: float = number(
        1.0,
        "Speed",
        "simulated seconds per second on the clock",
        1e-3,
        1e6,
        soft=(0.01, 1000.0),
        unit="×",
        log_scale=True,
    )
    auto_speed: bool = switch(
        True,
        "Automatic speed",
        "one period takes 6 to 10 s on the screen; off where a file gives a speed",
        ended_by=("speed",),
    )


@dataclass(frozen=True)
class View:
    """The camera. Polar angle 0 looks down the upright axis, 90 is level, 180 looks up it."""

    frame: str = choice(
        "ceiling",
        "View",
        "what stays upright and still: L, the space axes, or the body, on which the camera then rides",
        [
            ("ceiling", "Plane above", "L upwards, the invariable plane level on top"),
            ("floor", "Plane below", "L downwards, the invariable plane level underneath"),
            ("space", "Space axes", "z upwards"),
            ("body", "Body", "z′ upwards; the camera rides on the body"),
        ],
    )
    construction: str = choice(
        "poinsot",
        "Construction",
        "what is shown large: Poinsot's over ω, or the one over L′ in momentum space, riding on the body",
        [
            ("poinsot", "Poinsot (ω)", "the ellipsoid rolls on the invariable plane"),
            ("momentum", "Momentum (L′)", "L′ runs where the sphere |L′| and the ellipsoid E cut"),
        ],
    )
    polar_angle_deg: float = number(
        62.0,
        "Polar angle",
        "angle from the upright axis to the camera",
        0.0,
        180.0,
        unit="°",
        former=("latitude_deg",),
    )
    azimuth_deg: float = number(
        30.0, "Azimuth", "angle around the upright axis", -180.0, 180.0, unit="°", former=("longitude_deg",)
    )
    zoom: float = number(
        1.0, "Zoom", "1 fits the whole motion", 0.05, 50.0, soft=(0.2, 5.0), unit="×", log_scale=True
    )
    pan: tuple[float, float] = vector(
        (0.0, 0.0),
        "Pan",
        "shift of the picture in heights of the view",
        -10.0,
        10.0,
        ("right", "up"),
        soft=(-1.0, 1.0),
    )
    field_of_view_deg: float = number(20.0, "Field of view", "vertical angle of view", 5.0, 60.0, unit="°")
    follow: bool = switch(
        True,
        "Follow the body",
        "the camera goes with the centre of mass, which a force moves; off: it stays in space",
    )
    vector_scale: float = number(
        1.0,
        "Vector scale",
        "size of ω, L and the construction against the body; 1 just encloses it",
        0.2,
        5.0,
        unit="×",
        log_scale=True,
    )
    quality: str = choice(
        AUTO,
        "Quality",
        "how finely a moving picture is drawn; what stands still, and a saved picture, always in full",
        [
            (AUTO, "Automatic", "as fine as the machine can draw at 30 pictures a second"),
            *(
                (q.name, q.label, f"{q.resolution:.0%} of the pixels across and down")
                for q in QUALITIES.values()
            ),
        ],
        remembered=True,
    )
    trail_periods: float = number(
        8.0,
        "Trail",
        "how long the paths stay, in periods of the motion",
        0.1,
        1e5,
        soft=(1.0, 1000.0),
        log_scale=True,
    )
    trail_color: str = choice(
        "age",
        "Trail colour",
        "what the colour of the paths tells",
        [
            ("age", "Age", "old parts fade"),
            ("speed", "Speed", "|ω|"),
            ("energy-error", "Energy error", "by powers of ten"),
            ("phase", "Phase", "where in its period the motion was"),
        ],
    )
    axis_names: str = choice(
        "letters",
        "Axis names",
        "what the body's principal axes are called",
        [("letters", "x′ y′ z′"), ("moments", "e₁ e₂ e₃", "from the smallest moment to the largest")],
    )
    theme: str = choice(
        "dark",
        "Theme",
        "colours",
        [(name, name.capitalize().replace("-", " ")) for name in THEMES],
        remembered=True,
    )


@dataclass(frozen=True)
class Show:
    """What is drawn."""

    body: bool = switch(True, "Rigid body", "the body itself")
    angular_momentum: bool = switch(True, "L", "angular momentum")
    angular_velocity: bool = switch(True, "ω", "angular velocity")
    ellipsoid: bool = switch(True, "Ellipsoid", "inertia ellipsoid, fixed in the body; of L′: E = const")
    plane: bool = switch(
        True, "Invariable plane", "on which the ellipsoid rolls; of L′: the sphere |L| = const"
    )
    polhode: bool = switch(True, "Polhode", "path of ω in the body; of L′: the curve γ′")
    herpolhode: bool = switch(True, "Herpolhode", "path of ω on the plane; of L′: where it has been")
    space_axes: bool = switch(True, "Space axes", "x, y, z")
    body_axes: bool = switch(True, "Body axes", "x′, y′, z′")
    labels: bool = switch(True, "Labels", "names in the scene")
    projection: bool = switch(
        False, "ω along L", "the part of ω along L, always the same: why ω ends on the plane"
    )
    inset: bool = switch(False, "Inset", "the other construction, small, in the corner")


@dataclass(frozen=True)
class Stereo:
    """How the two eyes see it."""

    mode: str = choice(
        "mono",
        "Mode",
        "how the eyes' pictures are shown",
        [(m.name, m.label, m.summary) for m in STEREO_MODES.values()],
    )
    glasses: str = choice(
        "red-cyan",
        "Glasses",
        "for the anaglyph, left eye first",
        [(g.name, g.label) for g in GLASSES.values()],
        remembered=True,
        when=ANAGLYPH,
    )
    anaglyph_method: str = choice(
        "dubois",
        "Colours",
        "how the anaglyph mixes the eyes' colours",
        [(m.name, m.label, m.summary) for m in METHODS.values()],
        remembered=True,
        when=ANAGLYPH,
    )
    separation: float = number(
        3.0, "Eye separation", "distance between the eyes, of the distance to the middle of the scene", 0.0, 20.0,
        soft=(0.0, 6.0), unit="%", when=TWO_EYES
    )  # fmt: skip
    convergence: float = number(
        1.0, "Convergence", "distance of the screen plane; 1 is the middle of the scene", 0.2, 5.0,
        soft=(0.5, 2.0), unit="×", log_scale=True, when=TWO_EYES
    )  # fmt: skip
    comfort: bool = switch(
        True,
        "Easy on the eyes",
        "eyes and screen plane follow the scene: parallax stays within -1 to 2 % of the width; off where they are set",
        ended_by=("separation", "convergence"),
        when=TWO_EYES,
    )
    exchange_eyes: bool = switch(False, "Exchange eyes", "left picture to the right eye", when=TWO_EYES)
    left_leak: float = number(
        0.0, "Left leak", "what the left filter of the glasses lets through of the right eye's picture", 0.0, 40.0,
        soft=(0.0, 20.0), unit="%", remembered=True, when=ANAGLYPH
    )  # fmt: skip
    right_leak: float = number(
        0.0, "Right leak", "what the right filter of the glasses lets through of the left eye's picture", 0.0, 40.0,
        soft=(0.0, 20.0), unit="%", remembered=True, when=ANAGLYPH
    )  # fmt: skip
    viewing_distance: float = number(
        0.6, "Viewing distance", "from the eyes to the screen; only for the angles that are told", 0.1, 100.0,
        soft=(0.3, 10.0), unit="m", log_scale=True, remembered=True, when=TWO_EYES
    )  # fmt: skip
    screen_width: float = number(
        0.0, "Screen width", "of the whole screen, such as a projector's; 0: as the system tells", 0.0, 100.0,
        soft=(0.0, 5.0), unit="m", remembered=True, when=TWO_EYES
    )  # fmt: skip


@dataclass(frozen=True)
class CameraPath:
    """How the camera moves in a film, on the film's own clock."""

    kind: str = choice(
        "still",
        "Camera path",
        "how the camera moves in a film",
        [
            ("still", "Still", "it stays where the view has it"),
            ("orbit", "Orbit", "it goes round the upright axis"),
            ("ride", "Ride", "it rides on the body"),
            ("keys", "Key frames", "it goes through the key frames"),
        ],
    )
    turn_rate: float = number(
        12.0, "Turn rate", "azimuth that an orbit gains", -360.0, 360.0, soft=(-90.0, 90.0), unit="°/s",
        when=("camera_path.kind", ("orbit",))
    )  # fmt: skip
    keys: tuple[tuple[float, ...], ...] = rows(
        "Key frames",
        "where the camera is at which second of the film; between them it goes smoothly",
        [
            ("seconds", 0.0, 1e6),
            ("polar_angle_deg", 0.0, 180.0),
            ("azimuth_deg", -36000.0, 36000.0),
            ("zoom", 0.05, 50.0),
        ],
        when=("camera_path.kind", ("keys",)),
    )
