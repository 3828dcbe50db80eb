"""The sections of a scene that make its picture: clock, view, what is drawn, stereo and the camera of a film.

Every field of a scene is declared once; controls, checks and documentation follow from its declaration.
"""

from viewer.common.frozen import frozen
from viewer.common.language import marked
from viewer.scenario.choices.stereo_modes import GLASSES, METHODS, STEREO_MODES
from viewer.scenario.choices.themes import AUTO, MATERIALS, PAINT, QUALITIES, THEMES
from viewer.scenario.field import Rows
from viewer.scenario.fields import choice, field, integer, number, switch, vector

# when a field has an effect
ANAGLYPH = ("stereo.mode", tuple(m.name for m in STEREO_MODES.values() if m.layout == "anaglyph"))
TWO_EYES = ("stereo.mode", tuple(m.name for m in STEREO_MODES.values() if len(m.eyes) == 2))


# from where each frame is seen at first [degrees from the upright axis]; all then fits into the picture at zoom 1
SUITED_POLAR_ANGLES = {"ceiling": 62.0, "floor": 75.0, "repeating": 62.0, "space": 62.0, "body": 62.0}

# frames in which a free motion looks after a period as it did before, so that a film of it is a closed loop
LOOPS = {"repeating": marked("with the turn about L taken out"), "body": marked("seen from the body")}


# fmt: off
@frozen
class Playback:
    """How fast the motion is shown."""

    speed: float = number(
        1.0, "Speed", "simulated seconds per second of real time", 1e-6, 1e10, soft=(0.01, 1000.0), unit="×",
        log_scale=True, keywords="slow motion time lapse fast forward"
    )
    auto_speed: bool = switch(
        True, "Automatic speed", "one period takes 6 to 10 s on the screen, more where something would turn faster than"
        " the eye follows; setting a speed turns this off",
        ended_by=("speed",)
    )


@frozen
class View:
    """The camera. At a polar angle of 0 it looks down along the upright axis, at 90 level, at 180 up along it."""

    frame: str = choice(
        "ceiling", "Reference frame",
        "what stays upright and still: L, with or without a slow turn of the camera about it, the space axes, or the"
        " body with the camera on it",
        [
            ("ceiling", "Plane above", "L points up, the invariable plane is level on top"),
            ("floor", "Plane below", "L points down, the invariable plane is level underneath"),
            ("repeating", "Repeating", "L points up; the camera turns slowly about L, so that after each period a free"
             " motion looks as it did before"),
            ("space", "Space axes", "z points up"),
            ("body", "Body", "z′ points up; the camera rides on the body"),
        ]
    )
    construction: str = choice(
        "poinsot", "Construction",
        "what is shown large: Poinsot's construction for ω, or the one for L′ in momentum space",
        [
            ("poinsot", "Poinsot (ω)", "the ellipsoid rolls on the invariable plane"),
            ("momentum", "Momentum (L′)", "L′ follows the intersection of the sphere of |L| and the ellipsoid of E"),
        ], keywords="momentum space Binet ellipsoid sphere"
    )
    bodies: str = choice(
        "auto", "Several bodies", "what is shown of each body of a scene that has several",
        [
            ("auto", "Automatic", "with their constructions up to six bodies, else only the bodies"),
            ("constructions", "With construction", "each with its ellipsoid, plane and paths"),
            ("plain", "Only the body", "each with the arrows of L and ω; M shows momentum space all the same"),
            ("together", "In one space", "before one camera, z up, each where it is; where all begin at one place, side"
             " by side"),
        ],
        when=("bodies", None)
    )
    polar_angle_deg: float = number(
        SUITED_POLAR_ANGLES["ceiling"], "Polar angle", "angle from the upright axis to the camera", 0.0, 180.0,
        unit="°", former=("latitude_deg",), keywords="latitude elevation tilt camera"
    )
    azimuth_deg: float = number(
        30.0, "Azimuth", "angle around the upright axis", -180.0, 180.0, unit="°", former=("longitude_deg",),
        keywords="longitude orbit camera"
    )
    zoom: float = number(
        1.0, "Zoom", "1 fits the whole motion", 0.05, 50.0, soft=(0.2, 5.0), unit="×", log_scale=True
    )
    pan: tuple[float, float] = vector(
        (0.0, 0.0), "Pan", "shift of the picture, in view heights", -50.0, 50.0, ("right", "up"),
        soft=(-1.0, 1.0)
    )
    field_of_view_deg: float = number(20.0, "Field of view", "vertical angle of view", 5.0, 60.0, unit="°")
    follow: bool = switch(
        True, "Follow the body",
        "the camera follows the centre of mass, which a force moves; off: it stays in place"
    )
    vector_scale: float = number(
        1.0, "Vector scale",
        "size of ω, L and the construction relative to the body; at 1 the ellipsoid just encloses it", 0.2, 5.0,
        unit="×", log_scale=True
    )
    fixed_scale: bool = switch(
        False, "Fixed scale",
        "ellipsoid, plane and L grow with the computed E and |L|; off: they stay those of the motion without errors",
        when=("view.construction", ("poinsot",))
    )
    quality: str = choice(
        AUTO, "Quality", "resolution of a moving picture; a still or saved one is always drawn in full",
        [
            (AUTO, "Automatic", "as fine as this machine manages at 30 frames per second"),
            *((q.name, q.label, f"{q.resolution:.0%} of the pixels in each direction") for q in QUALITIES.values()),
        ],
        remembered=True
    )
    trail_periods: float = number(
        8.0, "Trail", "how far back the paths reach, in periods of the motion", 0.1, 1e5, soft=(1.0, 1000.0),
        log_scale=True
    )
    trail_color: str = choice(
        "age", "Trail colour", "what the colour of the paths shows",
        [
            ("age", "Age", "old parts fade"),
            ("speed", "Speed", "|ω|"),
            ("energy-error", "Energy error", "on a logarithmic scale"),
            ("phase", "Phase", "position within the period"),
        ]
    )
    stroboscope: int = integer(
        0, "Stroboscope",
        "outlines of the body at so many earlier moments of the free motion, each a turn of 20° before the next", 0, 12,
        when=("view.construction", ("poinsot",))
    )
    onion_skin: bool = switch(
        False, "Onion skin", "the stroboscope shows as many later moments, too, in the colour of the herpolhode",
        when=("view.stroboscope", tuple(range(1, 13)))
    )
    axis_names: str = choice(
        "letters", "Axis names", "what the body's principal axes are called",
        [("letters", "x′ y′ z′"), ("moments", "e₁ e₂ e₃", "from the smallest moment to the largest")]
    )
    theme: str = choice(
        "dark", "Theme", "colours of the scene and the panel",
        [(name, name.capitalize().replace("-", " ")) for name in THEMES], remembered=True, keywords="background"
    )
    material: str = choice(
        PAINT, "Material", "what the body's surface looks like; its mass stays as it is",
        [(m.name, m.label, m.summary) for m in MATERIALS.values()]
    )


    def polar_angle_in(self, frame: str) -> float:
        """Return the polar angle after a change to `frame`: the one that suits this frame, or else the user's own."""
        is_own = self.polar_angle_deg != SUITED_POLAR_ANGLES[self.frame]
        return self.polar_angle_deg if is_own else SUITED_POLAR_ANGLES[frame]


@frozen
class Show:
    """What is drawn."""

    body: bool = switch(True, "Rigid body", "the body itself")
    angular_momentum: bool = switch(True, "L", "angular momentum")
    angular_velocity: bool = switch(True, "ω", "angular velocity")
    ellipsoid: bool = switch(
        True, "Ellipsoid", "inertia ellipsoid, fixed in the body; in momentum space: E = const"
    )
    plane: bool = switch(
        True, "Invariable plane", "on which the ellipsoid rolls; in momentum space: the sphere |L| = const"
    )
    polhode: bool = switch(
        True, "Polhode", "path of ω in the body; in momentum space: the curve γ′", keywords="body cone separatrix"
    )
    herpolhode: bool = switch(
        True, "Herpolhode", "path of ω on the plane; in momentum space: the trail of L′", keywords="space cone trace"
    )
    body_path: bool = switch(
        False, "Path of ω′",
        "where ω has been in the body: on the polhode unless the integrator errs; in momentum space that of L′"
    )
    loads: bool = switch(
        True, "Loads", "forces at their points of application, arms and torques; friction's torque thin"
    )
    centre_path: bool = switch(
        True, "Path of the centre", "path of the centre of mass, where the camera does not follow the body"
    )
    axis_path: bool = switch(
        True, "Path of the axis",
        "of a body about a pivot: where the line to its centre of mass has pointed, on a sphere; a top nods between the"
        " two circles", keywords="precession nutation top gyroscope cusps loops waves sphere"
    )
    cones: bool = switch(
        False, "Cones", "of a free motion: the body cone, which ω sweeps in the body, rolls on the space cone, which it"
        " sweeps in space", when=("view.construction", ("poinsot",)), keywords="body cone space cone rolling"
    )
    gimbals: bool = switch(
        False, "Gimbals", "three massless rings, turned by Euler's angles about z of space, a level axis and z′",
        keywords="Euler angles gimbal lock Cardan suspension gyroscope"
    )
    space_axes: bool = switch(True, "Space axes", "x, y, z")
    body_axes: bool = switch(True, "Body axes", "x′, y′, z′")
    labels: bool = switch(True, "Labels", "names in the scene")
    projection: bool = switch(
        False, "ω along L", "the component of ω along L, which is constant: so ω ends on the plane"
    )
    rolling_ticks: bool = switch(
        True, "Rolling ticks",
        "marks at equal arc lengths on polhode and herpolhode: where the ellipsoid rolls on the plane, they meet"
    )
    measured: bool = switch(
        True, "Measured ω",
        "of a recording: its ω in the body as points, coloured by how far the exact motion is from them",
    )
    inset: bool = switch(False, "Inset", "the other construction, small, in the corner")


@frozen
class Stereo:
    """How the two eyes see the scene."""

    mode: str = choice(
        "mono", "Mode", "how the two eyes' pictures are shown",
        [(m.name, m.label, m.summary) for m in STEREO_MODES.values()]
    )
    glasses: str = choice(
        "red-cyan", "Glasses", "filter colours for the anaglyph, left eye first",
        [(g.name, g.label) for g in GLASSES.values()], remembered=True, when=ANAGLYPH
    )
    anaglyph_method: str = choice(
        "dubois", "Colours", "how the anaglyph mixes the eyes' colours",
        [(m.name, m.label, m.summary) for m in METHODS.values()], remembered=True, when=ANAGLYPH
    )
    separation: float = number(
        3.0, "Eye separation",
        "distance between the eyes, relative to the distance to the middle of the scene", 0.0, 20.0,
        soft=(0.0, 6.0), unit="%", when=TWO_EYES
    )
    convergence: float = number(
        1.0, "Convergence", "distance of the screen plane; 1 is the middle of the scene", 0.2, 5.0,
        soft=(0.5, 2.0), unit="×", log_scale=True, when=TWO_EYES
    )
    comfort: bool = switch(
        True, "Easy on the eyes",
        "eyes and screen plane follow the scene, parallax within −1 to 2 % of the width, pictures for parallel viewing"
        " no further apart than eyes are; setting them turns this off",
        ended_by=("separation", "convergence"), when=TWO_EYES
    )
    exchange_eyes: bool = switch(False, "Swap eyes", "shows the left picture to the right eye", when=TWO_EYES)
    left_leak: float = number(
        0.0, "Left crosstalk",
        "crosstalk into the left eye: how much of the right picture its filter lets through", 0.0, 40.0,
        soft=(0.0, 20.0), unit="%", remembered=True, when=ANAGLYPH
    )
    right_leak: float = number(
        0.0, "Right crosstalk",
        "crosstalk into the right eye: how much of the left picture its filter lets through", 0.0, 40.0,
        soft=(0.0, 20.0), unit="%", remembered=True, when=ANAGLYPH
    )
    viewing_distance: float = number(
        0.6, "Viewing distance", "from the eyes to the screen; used for the parallax angles", 0.1, 100.0,
        soft=(0.3, 10.0), unit="m", log_scale=True, remembered=True, when=TWO_EYES
    )
    screen_width: float = number(
        0.0, "Screen width", "width of the whole screen, such as a projector's; 0: as the system reports it",
        0.0, 100.0, soft=(0.0, 5.0), unit="m", remembered=True, when=TWO_EYES
    )


@frozen
class CameraPath:
    """How the camera moves in a film, on the film's own clock."""

    kind: str = choice(
        "still", "Path", "how the camera moves in a film",
        [
            ("still", "Still", "it stays where the view puts it"),
            ("orbit", "Orbit", "it circles the upright axis"),
            ("ride", "Ride", "it rides on the body"),
            ("keys", "Key frames", "it passes through the key frames"),
        ]
    )
    turn_rate: float = number(
        12.0, "Turn rate", "azimuth gained by an orbit", -360.0, 360.0, soft=(-90.0, 90.0), unit="°/s",
        when=("camera_path.kind", ("orbit",))
    )
    keys: tuple[tuple[float, ...], ...] = field((), Rows(
        "Key frames", "positions of the camera at seconds of the film, with smooth motion between them",
        columns=(
            ("seconds", 0.0, 1e6),
            ("polar_angle_deg", 0.0, 180.0),
            ("azimuth_deg", -36000.0, 36000.0),
            ("zoom", 0.05, 50.0),
        ),
        when=("camera_path.kind", ("keys",))
    ))
