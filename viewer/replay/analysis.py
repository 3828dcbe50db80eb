"""The replay of a recording: its body, and the exact motion beside it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError, brief, refusal
from viewer.common.frozen import frozen
from viewer.common.language import plural, tr
from viewer.physics.body import RigidBody, broken_triangle
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import Array, conjugate, multiply, rotate, rotation_vectors
from viewer.physics.state import State, States, rotational_energy
from viewer.race.trajectory import Course, Trajectory
from viewer.race.verdict import Noise
from viewer.replay.findings import SingleReplay, listed
from viewer.replay.fits.frames import Unrepaired
from viewer.replay.fits.inertia import MOST_SAMPLES, OPEN, Fit, fit_inertia
from viewer.replay.fits.likeness import alike
from viewer.replay.fits.motion_fit import usual
from viewer.replay.fits.nearest_motion import NearestMotion, nearest_of
from viewer.replay.fits.rate_difference import difference_of_rates
from viewer.replay.fits.top import top_of
from viewer.replay.fits.undetermined import why_undetermined
from viewer.replay.flights.body_fit import BodyFit, fit_flight
from viewer.replay.flights.free_flights import FreeFlight
from viewer.replay.flights.selection import FlightSelection, choose, flights_in, with_warnings
from viewer.replay.flights.sensor_units import beyond_sensors
from viewer.replay.flights.signal_quality import noise_of, spans_at_limit
from viewer.replay.inference import as_of_free_body, without_doubts
from viewer.replay.kinematics import rates_beside, rates_of, turns_between, wxyz
from viewer.replay.recording import Recording
from viewer.scenario.sections.race import Recorded

FREE = 0.2  # misfit of moments from which on rates are no free body's
MISMATCH = 0.02  # relative difference of declared and fitted moments that is reported
SIGMAS = 3.0  # standard deviations by which fitted moments may be off declared ones, or one another if they are equal
GOOD_FIT = 1e-3  # misfit up to which fitted moments are compared with declared ones
NOISELESS = 1e-9  # noise below it is round-off
CLOSE = 0.3  # rad from row to row, up to which noise can be told from the motion
AS_GOOD = 2.0  # times the misfit of the linear fit, up to which the exact motion explains as much
MOST_TURNS, MOST_ROWS = 6.0, 400  # at the beginning, to which the exact motion is fitted
FEWEST_ROWS = 8
FINER = 7  # orientations from which a rate is taken, to see how much that matters
UNEXPLAINED = 0.2  # misfit of the rates from which on orientations are too far apart to determine a body
MOST_TURN = 0.3  # of a turn from row to row: orientations further apart tell nothing
BALL = 1e-6  # difference of the moments, relative to the largest, below which they are a ball's
KNOWN = 1e-9  # sigma of a linear fit to orientations below which no fit to rates is better


def replay(recording: Recording, flight: str | None = None, known: Sequence[FreeFlight] = ()) -> SingleReplay:
    """Return the replay of a recording in principal axes, which are declared or fitted.

    If the recording holds free flights, one of them is replayed: the one with the number `flight`, or the best if
    `flight` is None. If `flight` is "all", one body is fitted to all of them. `known` are the flights, if they have
    been found already. Raises InputError if the motion does not determine the moments and none are declared, or if
    there is no such flight.
    """
    if not recording.has_rates:
        turn = float(np.median(np.linalg.norm(turns_between(recording.orientation_wxyz), axis=1))) / (2.0 * np.pi)
        if turn > MOST_TURN:
            raise refusal(
                "{name}: it makes {turn} turns per row, and more than half a turn cannot be told from less: no moments"
                " and no verdict from orientations that make more than {most} turns per row",
                name=recording.name, turn=brief(turn, 2), most=MOST_TURN,
            )  # fmt: skip
    if flights := tuple(known) or flights_in(recording, flight):
        chosen = choose(recording.time, recording.omega_body, flights, flight, recording.acceleration)
        if flight is not None or not chosen.drifts:
            return _replay_of(recording, chosen)
    fit = fit_inertia(recording.time, recording.orientation_wxyz, recording.omega_body)
    nearest, declared = nearest_of(recording, fit), recording.conventions.moments
    explained = nearest is not None and nearest.rows == len(recording.time)
    told, top = [], None
    if not explained and recording.contradiction is None and (alone := _by_orientations(recording)) is not None:
        recording, fit, nearest, difference = alone
        explained, told = True, [difference]
    if recording.has_orientations and recording.contradiction is None and not (explained or len(recording.gaps)):
        top = top_of(recording.time, recording.orientation_wxyz, recording.omega_body)
        nearest = nearest if top is None else None
    if not (explained or recording.has_orientations or declared) and (fit.misfit >= FREE or recording.of_sensor):
        error = refusal(
            "{name}: no free flight found, and the whole is no motion of a free body, with or without drag: no moments"
            " to fit; --moments declares them",
            name=recording.name,
        )
        raise with_warnings(error, recording)
    warnings = list(recording.warnings if nearest is None else as_of_free_body(recording.warnings))
    warnings += told
    sigma, misfit, own = None, fit.misfit, None
    if declared is not None:
        moments, axes = np.array(declared), np.eye(3)
        own = None if explained else _beside_misdeclared(recording, fit)
        if own is not None:
            text = tr(
                "the declared moments do not fit the motion: relative to the largest they are {declared}, where the"
                " motion gives {fitted}, up to {off} % away; declare others with --moments, or none"
            )
            off = brief(100.0 * float(np.abs(moments / moments.max() - own).max()), 2)
            warnings.append(text.format(declared=listed(moments / moments.max(), 3), fitted=listed(own, 3), off=off))
    else:
        found = top or nearest or fitted_body(recording, fit)
        if (found is None or found.sigma.max() > OPEN) and recording.contradiction is not None:
            q, rates = recording.orientation_wxyz, rates_of(recording.time, recording.orientation_wxyz, recording.gaps)
            found = fitted_body(replace(recording, omega_body=rates), fit_inertia(recording.time, q, rates))
        if found is None or found.sigma.max() > OPEN:
            raise _undetermined(recording, warnings)
        if top is None and np.ptp(found.moments) < max(BALL, SIGMAS * found.sigma.max()):
            raise _undetermined(recording, warnings)  # a ball's steady spin is any body's
        moments, axes, sigma, misfit = found.moments, found.axes, found.sigma, found.misfit
    body = RigidBody.from_moments(moments.tolist())
    if unsolid := broken_triangle(body.principal_moments, "" if declared is None else " kg m²"):
        warnings.append(unsolid)
    states = in_axes(recording, axes)
    start = State(states.orientation_wxyz[0], states.omega_body[0]) if nearest is None else nearest.start
    if not recording.has_rates:
        exact = FreeRotation(body, start).at(states.time) if nearest is None else nearest.states(body, states.time)
        states = replace(states, omega_body=rates_beside(exact, states, recording.gaps))
        recording = replace(recording, omega_body=states.omega_body @ axes.T)
        start = State(states.orientation_wxyz[0], states.omega_body[0]) if nearest is None else nearest.start
    if not start.omega_body.any():
        raise refusal(
            "{name}: the body rests in the first row, where no free motion begins; leave out the rows before it turns",
            name=recording.name,
        )
    course = _course(body, start, recording.time)
    rows = 0 if nearest is None or nearest.formula else nearest.rows
    noise, outliers = _noise(recording, course, states, rows)
    if nearest is not None and nearest.formula:
        noise = Noise(nearest.misfit, nearest.misfit)
    if outliers:
        text = plural(
            "{count} row is far off the motion (the first at t = {time} s); left out of the fit",
            "{count} rows are far off the motion (the first at t = {time} s); left out of the fit",
            len(outliers),
        )
        warnings.append(text.format(count=len(outliers), time=brief(float(states.time[outliers[0]]), 4)))
    if rows and noise.rates > NOISELESS:
        text = tr(
            "noise of {noise} of the largest angular velocity: the exact motion starts from a fit to the first"
            " {rows} rows, not from the first row"
        )
        warnings.append(text.format(noise=brief(noise.rates, 1), rows=rows))
    lane = replace(_lane(recording), misdeclared=own is not None)
    track = Trajectory(lane, course, states, 0.0, None, recording.gaps_within())
    single = SingleReplay(
        (recording,),
        (track,),
        declared is None,
        tuple(warnings),
        sigma,
        misfit=misfit,
        noise=noise,
        explained_rows=rows,
        drag_fitted=None if nearest is None or not nearest.formula else nearest.torque,
        top=top,
        misdeclared=own is not None,
    )
    settled = recording.of_sensor or recording.contradiction is not None or single.true or single.torque is not None
    settled = settled or top is not None
    single = single if declared is not None or settled else _refined(single)
    if declared is None and not (settled or single.likeness) and (doubt := _doubt(recording, warnings)):
        raise doubt
    return single


def _by_orientations(recording: Recording) -> tuple[Recording, Fit, NearestMotion, str] | None:
    """Return a recording without its rates, with the linear fit and the motion of its orientations alone.

    That motion explains the orientations but for noise. The last value says how the rates differ from it, which the
    orientations deny. None is returned if it is not so.
    """
    if not (recording.has_orientations and recording.has_rates):
        return None
    time, q = recording.time, recording.orientation_wxyz
    alone = replace(recording, has_rates=False, omega_body=rates_of(time, q, recording.gaps))
    fit = fit_inertia(time, q, alone.omega_body)
    nearest = nearest_of(alone, fit)
    if nearest is None or nearest.rows != len(time):
        return None
    exact = nearest.states(RigidBody.from_moments(nearest.moments.tolist()), time).omega_body @ nearest.axes.T
    difference = difference_of_rates(recording, exact, nearest.misfit)
    if difference is None:
        return None
    return alone, fit, nearest, tr("{difference}: they are left out of the fit").format(difference=difference)


def _beside_misdeclared(recording: Recording, fit: Fit) -> Array | None:
    """Return the moments (3,) that a motion gives, relative to the largest, if the declared ones do not fit it.

    `fit` is the linear fit. None is returned if they fit, or if the motion gives those of no body.
    """
    undeclared = replace(recording, conventions=replace(recording.conventions, moments=None))
    moments = np.array(recording.conventions.moments)
    if fit.determined and fit.misfit < GOOD_FIT:
        own, _ = fit.principal()
    else:
        nearest = nearest_of(undeclared, fit)
        if nearest is None or nearest.rows < len(recording.time) or nearest.sigma.max() > MISMATCH:
            return None
        own = nearest.moments
    own = own / own.max()
    if broken_triangle(own, ""):
        return None
    return own if np.abs(own - moments / moments.max()).max() > MISMATCH else None


def _refined(found: SingleReplay) -> SingleReplay:
    """Return a replay with the body with which the integrator that it resembles comes nearest to it.

    If it resembles none, the body stays, and its uncertainty includes how far it is from those of the integrators that
    come as near as any.
    """
    known, likeness = found.likenesses, found.likeness
    if likeness is None:
        own = found.body.principal_moments / found.body.principal_moments.max()
        moments = np.array([own, *(one.rows.body.principal_moments for one in alike(known))])
        off = np.abs(moments / moments.max(axis=1, keepdims=True) - own).max(axis=0)
        sigma = off if found.sigma is None else np.hypot(found.sigma, off)
        return replace(found, sigma=sigma, known_likenesses=known)
    moments, states = likeness.rows.body.principal_moments, likeness.rows.states
    body = RigidBody.from_moments((moments / moments.max()).tolist())
    course = _course(body, State(states.orientation_wxyz[0], states.omega_body[0]), states.time)
    track = replace(found.trajectory, course=course, states=states)
    misfit, sigma = likeness.difference, likeness.rows.sigma
    return replace(found, trajectories=(track,), sigma=sigma, misfit=misfit, known_likenesses=known)


def _course(body: RigidBody, start: State, time: Array) -> Course:
    return Course(body, start, float(np.median(np.diff(time))), len(time) - 1)


def _lane(recording: Recording) -> Recorded:
    return recording.lane(recording.conventions.source.partition(",")[0] or recording.name)


def _noise(recording: Recording, course: Course, states: States, rows: int) -> tuple[Noise, list[int]]:
    """Return the noise of a recording, and which of its first `rows` rows are outliers.

    The exact motion explains these rows, so that the noise is the rms of their residuals. If `rows` is 0, the noise is
    the part of all residuals that is not smooth; it is left open if the rows are too far apart for that.
    """
    exact = course.exact.at(states.time)
    speed = np.linalg.norm(states.omega_body, axis=1)
    rates = (states.omega_body - exact.omega_body) / speed.max()
    beside = multiply(conjugate(exact.orientation_wxyz), states.orientation_wxyz)
    turns = rotation_vectors(beside)
    outliers: list[int] = []
    if rows:
        recorded = [turns[:rows]] * recording.has_orientations + [rates[:rows]] * recording.has_rates
        good = usual(recorded)
        outliers = np.flatnonzero(~good).tolist()
        rates *= speed.max() / speed[:rows][good].max()  # an outlier is no largest rate
        found = [float(np.sqrt(np.mean(np.sum(off[:rows][good] ** 2, axis=1)))) for off in (rates, turns)]
    elif np.median(np.linalg.norm(states.omega_body[1:], axis=1) * np.diff(states.time)) < CLOSE:
        energy = rotational_energy(course.body, states) / rotational_energy(course.body, exact) - 1.0
        signs = np.cumprod(np.where(np.sum(beside[1:] * beside[:-1], axis=1) < 0.0, -1.0, 1.0))
        found = [max(noise_of(rates), 0.5 * noise_of(energy[:, None])), 2.0 * noise_of(beside[1:] * signs[:, None])]
    else:
        return Noise(), outliers
    return Noise(found[0], found[1] if recording.has_orientations else found[0]), outliers


def _doubt(recording: Recording, warnings: Sequence[str]) -> InputError | None:
    """Return the error for rates alone whose warnings say that they are no free body's, or None if none says so."""
    agreed = as_of_free_body(warnings)
    doubts = [warning for warning in warnings if warning not in agreed]
    if recording.has_orientations or not doubts:
        return None
    return refusal(
        "{name}: {doubt}: no moments, no verdict; declare the units with --angular-velocity and --time-unit, or"
        " give the time between rows with --step instead of a column of times",
        name=recording.name,
        doubt=doubts[0],
    )


def _undetermined(recording: Recording, warnings: Sequence[str]) -> InputError:
    """Return the error for a motion, with these warnings, that does not determine the moments."""
    if (found := recording.contradiction) is not None:
        text = tr("{name}: {disagreement}").format(name=recording.name, disagreement=found.remark)
        return Unrepaired(text) if found.repairable else InputError(text)
    if not recording.has_orientations and (fastest := beyond_sensors(recording.omega_body)):
        return refusal(
            "{name}: moments: this motion does not determine them, at up to {speed} rad/s, which no sensor of a phone"
            " shows: if these are deg/s, say so by --angular-velocity deg/s",
            name=recording.name,
            speed=brief(fastest, 3),
        )
    return _doubt(recording, warnings) or with_warnings(why_undetermined(recording), recording)


def _replay_of(recording: Recording, chosen: FlightSelection) -> SingleReplay:
    """Return the replay of the chosen flight, beside the exact motion of the fitted body."""
    fit, rows = chosen.fit, chosen.flight.rows
    body, axes = _body_of(fit)
    body_from_axes = wxyz(Rotation.from_matrix(axes))
    q = multiply(recording.orientation_wxyz[rows], body_from_axes)
    time = recording.time[rows] - recording.time[rows.start]
    omega, start = (recording.omega_body[rows] - fit.bias) @ axes, axes.T @ fit.axes @ chosen.motion.start
    if not recording.has_orientations:  # then no direction in space is known, and L may point upwards
        L = rotate(q[0], body.principal_moments * start)
        upright, _ = Rotation.align_vectors([[0.0, 0.0, 1.0]], [L / np.linalg.norm(L)])
        q = multiply(wxyz(upright), q)
    course = _course(body, State(q[0], start), time)
    begin = float(recording.time[rows.start])
    gaps = tuple((before - begin, after - begin) for before, after in recording.gaps_within(rows))
    clipped = spans_at_limit(time, recording.omega_body[rows], chosen.flight.limit)
    track = Trajectory(_lane(recording), course, States(time, q, omega), 0.0, None, gaps, clipped)
    noise = float(np.sqrt(3.0)) * fit.noise / float(np.linalg.norm(omega, axis=1).max())
    warnings = *without_doubts(recording.warnings), *_beside_declared(recording, fit)
    return SingleReplay(
        (recording,), (track,), True, warnings, selection=chosen, misfit=fit.residual, noise=Noise(noise, noise)
    )


def _beside_declared(recording: Recording, fit: BodyFit) -> list[str]:
    """Return a remark on whether the moments of a flight agree with the declared ones; empty if none are declared."""
    declared = recording.conventions.moments
    if declared is None:
        return []
    ratios = np.sort(declared)[::-1] / max(declared)
    agree = (np.abs(ratios - fit.ratios) <= np.maximum(MISMATCH, SIGMAS * fit.ratios_sigma)).all()
    text = tr("the declared moments, {ratios}, are not used: a flight gives its own, and these agree with them")
    if not agree:
        text = tr("the declared moments, {ratios}, are not used: a flight gives its own, and these differ from them")
    return [text.format(ratios=" : ".join(brief(float(ratio), 3) for ratio in ratios))]


def _body_of(fit: BodyFit) -> tuple[RigidBody, Array]:
    """Return the fitted body, and its principal axes as columns (3, 3) in the axes of the sensor.

    The body is given by its tensor in the axes of the sensor, so that it is drawn in them. If it is too thin for that,
    it is given by its principal moments.
    """
    inertia = fit.axes * fit.moments @ fit.axes.T
    try:
        body = RigidBody.from_tensor(0.5 * (inertia + inertia.T))
    except InputError:
        return RigidBody.from_moments(fit.moments.tolist()), fit.axes
    return body, body.principal_axes


def in_axes(recording: Recording, axes: Array) -> States:
    """Return the states of a recording in other body axes: the columns of `axes` (3, 3) in the recording's own axes."""
    body_from_axes = wxyz(Rotation.from_matrix(axes))
    q = multiply(recording.orientation_wxyz, body_from_axes)
    return States(recording.time, q, recording.omega_body @ axes)


@frozen
class FittedBody:
    """A body fitted to the rates of a motion.

    `moments` (3,) are relative to the largest, with the standard deviations `sigma` (3,). `axes` (3, 3) has the
    principal axes as columns, in the recording's own axes; each is named after the nearest of those. `misfit` is the
    rms of the residuals: of the rates relative to the rates, or of L relative to |L|.
    """

    moments: Array
    sigma: Array
    axes: Array
    misfit: float


def fitted_body(recording: Recording, linear: Fit) -> FittedBody | None:
    """Return the body of a motion, or None if it does not determine every moment.

    If only orientations were recorded, their rates are the derivatives of polynomials through them. Polynomials of
    higher order give other moments; the difference is added to the uncertainty.
    """
    found = _fitted_body(recording, linear)
    if found is None or recording.has_rates or len(recording.time) < FINER:
        return found
    if found.misfit > UNEXPLAINED:
        return None
    some = slice(0, MOST_SAMPLES)
    time, q, gaps = recording.time[some], recording.orientation_wxyz[some], recording.gaps
    gaps = gaps[gaps < len(time)]
    again = replace(recording, time=time, orientation_wxyz=q, omega_body=rates_of(time, q, gaps, FINER), gaps=gaps)
    finer = _fitted_body(again, fit_inertia(time, q, again.omega_body))
    off = found.misfit if finer is None else np.abs(finer.moments - found.moments)
    return replace(found, sigma=np.where(found.moments < 1.0, np.hypot(found.sigma, off), found.sigma))


def _fitted_body(recording: Recording, linear: Fit) -> FittedBody | None:
    """Return the body of a motion, or None. Its uncertainty is only that from the noise.

    The rates are fitted, too, because orientations that were integrated from rates are smoother than the rates and hide
    how far off the linear fit is.
    """
    found = None
    if linear.determined:
        moments, axes = linear.principal()
        found = FittedBody(moments, linear.sigma, axes, linear.misfit)
        if recording.has_orientations and found.sigma.max() < KNOWN:
            return found
    turned = np.cumsum(np.linalg.norm(recording.omega_body[1:], axis=1) * np.diff(recording.time))
    rows = slice(0, int(np.clip(np.searchsorted(turned, 2.0 * np.pi * MOST_TURNS) + 2, FEWEST_ROWS, MOST_ROWS)))
    motion = fit_flight(recording.time[rows], recording.omega_body[rows])
    if motion.residual > AS_GOOD * linear.misfit:
        return found
    if not motion.determined:
        return None
    return FittedBody(motion.moments, motion.moments_sigma, motion.axes, motion.residual)
