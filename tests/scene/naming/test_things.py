"""Everything that is shown has a name and a value; values at a point are those of the motion there."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.frames import KINDS, picture_of
from helpers.pointing import eye_pixel

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.replay.opening import read_own
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.letters import missing
from viewer.scene.build import layer_snapshots
from viewer.scene.naming import values
from viewer.scene.naming.spot import Spot, spot_at, things_in
from viewer.scene.naming.things import THINGS, Thing, check_letters, proviso, relative, thing_of
from viewer.scene.presentation import Presentation
from viewer.session.session import Session

SIZE = (900, 600)


@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
@pytest.mark.parametrize("preset", KINDS)
def test_everything_that_is_shown_has_a_name_and_a_value(preset: str, construction: str) -> None:
    everything = {"view.construction": construction, "show.projection": True, "show.body_path": True}
    session = Session(Scenario.preset(preset).with_values({**everything, "show.inset": True}), playing=True)
    for _ in range(5):
        session.scene.advance(1 / 30)
    frame = picture_of(session, SIZE)
    shown = layer_snapshots(session.snapshot(), Presentation.of(session.scenario))
    assert len(shown) >= len(frame.layers)
    for number, layer in enumerate(frame.layers):
        for name, color in things_in(layer.scene).items():
            thing = thing_of(name, shown[number])
            assert thing is not None, name
            spot = Spot(number, name, color, (0.0, 0.0, 0.0), along=0.5, vector=(0.1, 0.2, 0.3), time=1.0)
            for value in thing.values(shown[number], spot):
                assert np.all(np.isfinite(value.value))
                assert value.symbol


def test_each_entry_is_one_short_sentence() -> None:
    for thing in THINGS.values():
        assert thing.sentence.endswith(".")
        assert thing.sentence.count(". ") == 0
        assert len(thing.sentence) < 130
        assert thing.name


def test_an_entry_whose_letters_the_atlas_lacks_is_refused() -> None:
    """A Greek letter without a glyph was left out of the picture without a word."""
    with pytest.raises(ValueError, match=r"nutation: the atlas of assets/fonts lacks θ"):
        check_letters(Thing("nutation", "The angle between L and the axis.", symbols=("θ",)))
    with pytest.raises(ValueError, match="lacks ☉"):
        check_letters(Thing("the sun ☉", "A direction."))
    for thing in THINGS.values():  # they have been checked as the table was made
        assert not missing("".join(thing.symbols), "symbol")


def test_each_name_in_the_picture_is_declared_by_an_entry_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no name can be drawn for whose letters nobody has looked."""
    declared = {symbol for thing in THINGS.values() for symbol in thing.symbols}
    drawn = []
    for name, thing in list(THINGS.items()):
        if thing.lines is not None:

            def recorded(drawing, thing=thing):
                lines = thing.lines(drawing)
                drawn.extend((label.text, thing.symbols) for label in lines.labels)
                return lines

            monkeypatch.setitem(THINGS, name, replace(thing, lines=recorded))
    led = {"solver.integrator": "jolt", "solver.stabilisation": "closest-point"}
    shown = {"show.projection": True, "loads.force": (0.1, 0.2, 0.0), "loads.torque": (0.1, 0.0, 0.0)}
    for construction in ("poinsot", "momentum"):
        for names in ("letters", "moments"):
            values = {"view.construction": construction, "view.axis_names": names, **led, **shown}
            session = Session(Scenario.preset("dzhanibekov").with_values(values), playing=False)
            session.run_to(1.0)
            labels = picture_of(session, SIZE).main.scene.labels
            assert {label.text for label in labels if label.style == "symbol"} <= declared
    assert {text for text, _ in drawn} >= {"ω", "L", "F", "M"}
    assert all(text in symbols for text, symbols in drawn)


def test_the_cards_of_loads_say_how_their_arrows_grow() -> None:
    """Of all that `load_arrow` draws, and of nothing else; eight times the load is twice as long."""
    acting = {"loads.arm": (0.1, 0.0, 0.1), "loads.external_friction": 0.1}
    found = []
    for force in (0.1, 0.8):
        scene = Scenario.preset("paper-fig1").with_values({**acting, "loads.force": (0.0, 0.0, force)})
        session = Session(scene, playing=False)
        arrows = {arrow.name: arrow for arrow in picture_of(session, SIZE).main.scene.arrows if arrow.name}
        for name in arrows:
            thing = thing_of(name, session.snapshot())
            assert thing is not None
            says = "the cube root: twice as long stands for eight times" in thing.more(session.snapshot())
            assert says == (name in ("F", "M", "Mꜰ"))
        found.append({name: float(np.linalg.norm(arrow.end - arrow.start)) for name, arrow in arrows.items()})
    assert {"F", "M", "Mꜰ"} <= set(found[0])
    for name in "FM":
        assert found[1][name] / found[0][name] == pytest.approx(2.0, rel=1e-6)


def test_a_trail_says_when_the_motion_was_there_and_what_omega_was() -> None:
    session = Session(Scenario.preset("paper-fig1").with_value("solver.integrator", "exact"), playing=True)
    start = session.snapshot()
    for _ in range(100):
        session.scene.advance(1 / 30)
    frame = picture_of(session, SIZE)
    exact = FreeRotation(start.body, start.reading.state)
    trail = frame.main.scene.trail
    assert trail is not None
    found = 0
    for back in np.linspace(0.1, 0.9, 30):
        time = session.snapshot().reading.time * back
        states = exact.at(np.array([time]))
        omega = _turned(states.orientation_wxyz[0], states.omega_body[0])
        spot = spot_at(frame, 0, tuple(eye_pixel(frame.main, trail.world_from_points @ omega, SIZE)), SIZE, 1.0)
        if spot is None or spot.name != "herpolhode" or spot.time is None or spot.vector is None:
            continue  # another thing is in front
        there = exact.at(np.array([spot.time]))
        exactly = _turned(there.orientation_wxyz[0], there.omega_body[0])
        assert np.linalg.norm(np.array(spot.vector) - exactly) < 5e-3 * np.linalg.norm(exactly)  # measured 1e-3: chords
        found += 1
    assert found > 10


def _turned(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """v turned by the unit quaternion q = (w, x, y, z): v + 2 u x (u x v + w v)."""
    w, u = q[0], q[1:]
    return v + 2.0 * np.cross(u, np.cross(u, v) + w * v)


def test_the_value_on_the_polhode_is_omega_there() -> None:
    snapshot = Session(Scenario.preset("paper-fig1"), playing=False).snapshot()
    energy, moments = snapshot.reading.target_energy, np.asarray(snapshot.body.principal_moments)
    for along in (0.0, 17.5, 1e3):
        spot = Spot(0, "polhode", (1.0,) * 3, (0.0,) * 3, along=along % len(snapshot.curves.polhode))
        omega, size, _ = THINGS["polhode"].values(snapshot, spot)
        assert 0.5 * np.sum(moments * np.square(omega.value)) == pytest.approx(energy, rel=1e-3)  # between two points
        assert size.value == pytest.approx(np.linalg.norm(omega.value))


def test_an_axis_is_called_by_its_rank_but_not_where_two_moments_are_equal() -> None:
    snapshot = Session(Scenario.preset("paper-fig1"), playing=False).snapshot()
    ranks = np.argsort(np.argsort(snapshot.body.principal_moments))
    for axis, rank in zip(("x′", "y′", "z′"), ranks, strict=True):
        thing = thing_of(axis, snapshot)
        assert thing is not None
        assert ("smallest", "middle", "largest")[rank] in thing.name
    equal = Session(Scenario().with_values({"body.shape": "sphere"}), playing=False).snapshot()
    thing = thing_of("x′", equal)
    assert thing is not None
    assert thing.name == "principal axis"


def test_the_polhode_names_no_time_after_a_recordings_end() -> None:
    fields, found = read_own("tossed-phone.csv", 1)
    session = Session(Scenario().with_values(fields), recording=found)
    snapshot = session.snapshot()
    assert snapshot.measured is not None
    assert snapshot.period is not None
    end, count = snapshot.measured.time[-1], len(snapshot.curves.polhode)
    assert snapshot.period > 1.2 * end
    named = []
    for along in np.linspace(0.0, count - 1.0, 40):
        values = THINGS["polhode"].values(snapshot, Spot(0, "polhode", (1.0,) * 3, (0.0,) * 3, along=along))
        named += [value.value for value in values if value.symbol == "next at t"]
    assert 0.6 * end / snapshot.period < len(named) / 40 < 1.1 * end / snapshot.period
    assert max(named) <= end


def test_the_polhode_says_when_omega_is_there_next() -> None:
    session = Session(Scenario.preset("paper-fig1").with_value("solver.integrator", "exact-drift"), playing=False)
    session.run_to(2.0)
    snapshot = session.snapshot()
    exact = FreeRotation(snapshot.body, snapshot.reading.state)
    for along in (3.0, 100.0, 200.0):
        spot = Spot(0, "polhode", (1.0,) * 3, (0.0,) * 3, along=along)
        omega, _, time = THINGS["polhode"].values(snapshot, spot)
        assert 2.0 <= time.value <= 2.0 + snapshot.period
        there = exact.at(np.array([time.value - 2.0])).omega_body[0]
        np.testing.assert_allclose(there, omega.value, atol=4e-3)  # measured: 1.2e-3 rad/s
    session.change({"loads.torque": (0.1, 0.0, 0.0)})
    assert len(THINGS["polhode"].values(session.snapshot(), spot)) == 2  # it will not get there


def test_where_the_integrator_leaves_the_exact_motion_its_laws_are_said_to_be_that_motions() -> None:
    """Without the gyroscopic torque omega' never moves along the polhode, and L wanders in space."""
    for integrator, said in (("no-gyroscopic", "This is a law of the exact motion;"), ("split", "")):
        scenario = Scenario.preset("dzhanibekov").with_value("solver.integrator", integrator)
        snapshot = Session(scenario, playing=False).snapshot()
        for name in ("polhode", "L", "y′"):
            assert proviso(name, snapshot).startswith(said) if said else not proviso(name, snapshot)
        assert not proviso("body", snapshot)  # what it is, it is in any motion
        spot = Spot(0, "polhode", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), along=0.5)
        foretold = {value.symbol for value in THINGS["polhode"].values(snapshot, spot)} & {"next at t"}
        assert foretold == (set() if said else {"next at t"})


def test_in_the_cell_of_a_lane_that_errs_nothing_is_foretold() -> None:
    """The exact motion's period said when omega would be there next, beside a lane that stays where it is."""
    lanes = {"race.show": "grid", "race.lanes": ["no-gyroscopic", "split"]}
    session = Session(Scenario.preset("dzhanibekov").with_values(lanes), playing=False)
    session.run_to(6.0)
    _, whole, wrong, right = layer_snapshots(session.snapshot(), Presentation.of(session.scenario))
    assert (whole.strays, wrong.strays, right.strays) == (False, True, False)
    spot = Spot(2, "polhode", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), along=0.5)
    assert "next at t" not in {value.symbol for value in THINGS["polhode"].values(wrong, spot)}
    assert "next at t" in {value.symbol for value in THINGS["polhode"].values(right, spot)}


def test_a_ghost_says_its_integrator_and_how_far_it_is_off() -> None:
    values = {
        "race.show": "ghosts",
        "race.lanes": ("explicit-euler",),
        "show.ellipsoid": False,
        "show.plane": False,
        "solver.integrator": "exact-drift",
    }
    session = Session(Scenario.preset("dzhanibekov").with_values(values), playing=False)
    start = session.snapshot()
    session.run_to(6.0)
    snapshot, frame = session.snapshot(), picture_of(session, SIZE)
    (lane,) = snapshot.lanes
    (ghost,) = frame.main.scene.ghosts
    name = f"ghost:{lane.lane.label}"
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    seen = [
        spot_at(frame, 0, tuple(eye_pixel(frame.main, ghost.world_from_body @ corner, SIZE)), SIZE, 1.0)
        for corner in 0.97 * corners * frame.main.scene.solid.half_extents
    ]
    assert name in [spot.name for spot in seen if spot is not None]
    phase, turned = thing_of(name, snapshot).values(snapshot, Spot(0, name, (1.0,) * 3))
    assert phase.value == pytest.approx(np.degrees(lane.phase_error))
    exact = FreeRotation(start.body, start.reading.state).at(np.array([lane.time])).orientation_wxyz[0]
    columns = np.stack([_turned(exact, axis) for axis in np.eye(3)], axis=1)
    cosine = 0.5 * (np.trace(lane.rotation_world_from_body.T @ columns) - 1.0)
    assert turned.value == pytest.approx(np.degrees(np.arccos(cosine)), abs=1e-6)


def test_of_a_body_of_which_only_ratios_are_known_nothing_absolute_is_said() -> None:
    session = Session(Scenario.preset("dzhanibekov"), playing=False)
    snapshot = session.snapshot()
    spot = Spot(0, "body", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    units = {}
    for name, thing in THINGS.items():
        units[name] = {value.unit for value in relative(thing).values(snapshot, spot)}
        assert not any("kg" in unit or "J" in unit for unit in units[name]), name
    assert units["body"] == {""}
    assert units["ellipsoid"] == {"1/s²"}
    assert units["L"] == {"rad/s"}
    assert relative(THINGS["body"]).more(snapshot) == "Its moments are relative to the largest."


def test_the_card_of_the_body_has_the_velocity_of_the_point_under_the_pointer() -> None:
    """A corner of the top of the box, from where it was and will be; in a composite body, of each part."""
    session = Session(
        Scenario.preset("dzhanibekov").with_value("start.linear_velocity", (0.3, 0.0, -0.2)), playing=False
    )
    session.run_to(4.0)
    snapshot, frame = session.snapshot(), picture_of(session, SIZE)
    camera = frame.main.camera
    corner = max(
        (np.array([x, y, z]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)),
        key=lambda c: float(camera.backward @ snapshot.reading.rotation_world_from_body @ c),
    )
    point = 0.9 * corner * frame.main.scene.solid.half_extents
    point[2] = corner[2] * frame.main.scene.solid.half_extents[2]
    pixel = eye_pixel(frame.main, snapshot.reading.rotation_world_from_body @ point, SIZE)
    spot = spot_at(with_body_alone(frame), 0, tuple(pixel), SIZE, 1.0)
    assert spot.name == "body"
    found = {value.symbol: value.value for value in thing_of("body", snapshot).values(snapshot, spot)}
    np.testing.assert_allclose(found["r′"], point, atol=1e-6)
    places, rates = [], []
    for later in (-1e-3, 1e-3):
        session.run_to(4.0 + later)
        now = session.snapshot().reading
        places.append(now.position + now.rotation_world_from_body @ np.array(found["r′"]))
        rates.append(now.omega_world)
    apart = session.snapshot().reading.time - snapshot.reading.time
    np.testing.assert_allclose(found["v"], (places[1] - places[0]) / (2 * apart), atol=1e-4)
    np.testing.assert_allclose(found["α"], (rates[1] - rates[0]) / (2 * apart), atol=1e-3)


def with_body_alone(frame):
    layer = frame.main
    alone = replace(layer.scene, arrows=(), strokes=(), overlay_strokes=(), curves=(), trail=None, contact=None)
    return replace(frame, layers=(replace(layer, scene=alone),))


@pytest.mark.parametrize("preset", ["paper-fig1", "dzhanibekov"])
def test_the_plane_is_as_far_as_omega_reaches_along_the_momentum(preset: str) -> None:
    reading = Session(Scenario.preset(preset), playing=False).snapshot()
    L = reading.reading.angular_momentum_world
    along = reading.reading.omega_world @ L / np.linalg.norm(L)
    assert values.plane_distance(reading) == pytest.approx(along, rel=1e-12)
