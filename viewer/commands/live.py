"""Follows a hand-held phone: the body on the screen turns as the phone does, with a short delay."""

import queue
import threading

import numpy as np

from viewer.commands.opening import report_recording
from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.physics.rotation import angles_about_space_axes
from viewer.replay.findings import Replay
from viewer.replay.live_recording import FlightWatch, LiveRecording
from viewer.replay.phone import Answer, Phone
from viewer.replay.scene import scene_of
from viewer.scenario.consequences import PHONE
from viewer.scenario.scenario import Scenario
from viewer.scene.words.formatting import sentence
from viewer.session.plot_data import HeldData
from viewer.user import log
from viewer.workspace.messages import Offer
from viewer.workspace.workspace import Workspace

EVERY = 0.05  # s between two requests to the phone
SILENT = 0.25  # s between two frames while no rows come
STALLED = 2.0  # s without a row, after which the message says so
RETRY = 1.0  # s until a phone that does not answer is asked again
DELAY = 0.12  # s by which the picture lags behind the phone: rows come in batches, between which it moves evenly
LATE = 0.4  # s of further lag, from which on the picture skips
RESTING = 0.2  # rad/s: a slower phone counts as held still
SCENE = "smartphone"


def live_scene(address: str, base: Scenario) -> Scenario:
    """Return the scene in which a phone is followed; the fields of the user's screen are taken from `base`."""
    scene = Scenario.find(SCENE, base)
    shown = ("ellipsoid", "plane", "polhode", "herpolhode", "rolling_ticks", "angular_momentum")
    return scene.with_values(
        {
            "body.shape": "moments",
            "body.moments": tuple(scene.simulation().body.principal_moments.tolist()),
            **{f"body.{name}": value for name, value in PHONE.items()},
            "title": tr("Live from {address}").format(address=address)[:60],
            "start.angular_velocity": (0.0, 0.0, 0.0),
            **{f"show.{name}": False for name in shown},
        }
    )


class Live:
    """A phone that is followed: the scene is its `live_scene`, or one of its flights.

    The phone is followed until `end` is called or another scene is opened. A flight is shown in a loop as soon as it
    has ended; `end` or undo then leads back to the phone. A flight that ends while another one is shown does not
    replace that one: the button `proposed` shows it.
    """

    def __init__(self, workspace: Workspace, phone: Phone) -> None:
        self._workspace, self._phone = workspace, phone
        workspace.session.playback.pause()
        self.recording = LiveRecording()
        self._watch = FlightWatch(phone.address)
        self._next: Replay | None = None  # a flight that waits until the user wants to see it
        self._came: queue.SimpleQueue[Answer | InputError] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._problem: str | None = None
        self._measuring, self._flowing = True, False
        self._newest = 0.0  # the time of the newest row, on the app's clock
        self._stalled = False  # whether that is long ago
        self._in_hand = True  # whether the last frame showed the phone in the hand, and not a flight
        self._shown: float | None = None  # the phone's time in the picture
        self._before = 0.0  # the time of the last frame, on the app's clock
        threading.Thread(target=self._ask, name="phone", daemon=True).start()

    def _ask(self) -> None:
        while not self._ended.is_set():
            wait = RETRY
            try:
                self._came.put(self._phone.poll())
                wait = EVERY
            except InputError as error:
                self._came.put(error)
            except Exception as error:  # an unexpected one: it is reported, and the phone is asked again
                self._came.put(InputError(log.crash(error)[0]))
            self._ended.wait(wait)

    @property
    def state(self) -> str | None:
        """The message about the phone; None once it is no longer followed."""
        if self._ended.is_set():
            return None
        if not self._workspace.session.document.held:
            found = self._workspace.session.document.recording  # None where the user has changed its motion
            line = (
                tr("No longer as measured")
                if found is None or found.selection is None
                else sentence(found.selection.line)
            )
            if self._next is not None:
                line = tr("{flight}. Another toss has come").format(flight=line)
            return tr("{flight} (Escape: back to the phone)").format(flight=line)
        if self._problem is not None:
            return tr("{problem} (Escape ends)").format(problem=self._problem)
        rate = f"{self.recording.rate:.0f}" if len(self.recording.time) else ""
        return tr(self._situation).format(address=self._phone.address, rate=rate)

    @property
    def _situation(self) -> str:
        """The situation while the phone answers, as an English text to be translated."""
        if not len(self.recording.time) and self.recording.left_out:
            return marked("{address} gives no numbers that a gyroscope measures (Escape ends)")
        if not len(self.recording.time):
            return marked("{address} answers, but does not measure: press Play in phyphox (Escape ends)")
        if not self._measuring:
            return marked("{address} has stopped measuring: press Play in phyphox (Escape ends)")
        if self._stalled:
            return marked("{address} measures, but sends no new rows: is its screen on? (Escape ends)")
        return marked("Live from {address}, {rate} rows a second (Escape ends)")

    @property
    def proposed(self) -> Offer | None:
        """The button beside the message, which shows a flight that waits; None if no flight waits."""
        return None if self._next is None else Offer(tr("Show it"), self._show_next)

    def end(self) -> None:
        """Go back to the phone if a flight is shown; else stop following it, and keep its last motion on the screen."""
        if self._workspace.session.document.held or not self._shows_flight:
            self._ended.set()
            self._workspace.session.let_go()
            return
        self._open(live_scene(self._phone.address, self._workspace.session.scenario), None)

    def wait(self) -> float | None:
        """Return the seconds until `follow` must be called again; None if never."""
        if self._ended.is_set():
            return None
        return 0.0 if self._flowing else SILENT

    def follow(self, now: float) -> None:
        """Follow the phone before every frame; `now` is the time on the app's clock, s."""
        session = self._workspace.session
        if not session.document.held and not self._shows_flight:
            self._ended.set()  # another scene has been opened, which is not the phone's
        if self._ended.is_set():
            return
        if session.document.held != self._in_hand:  # undo and redo also lead from one to the other
            self._in_hand = session.document.held
            if self._in_hand:
                self._next = None
                session.playback.pause()
            else:
                session.playback.play()
        while not self._came.empty():
            self._take(self._came.get(), now)
        elapsed, self._before = now - self._before, now
        found = self._watch.look(self.recording)
        if found is not None:
            self._next = found
            if session.document.held:
                self._show_next()
            self._workspace.changed()
        elif session.document.held and len(self.recording.time):
            self._show(elapsed)

    @property
    def _shows_flight(self) -> bool:
        """Whether the open scene is one of the phone's flights, even one that the user has changed."""
        recorded = self._workspace.session.document.recorded
        found = None if recorded is None else recorded.recordings
        return found is not None and not found.files and found.recordings[0].name == self._phone.address

    def _show_next(self) -> None:
        """Show the flight that waits, in a loop."""
        found, self._next = self._next, None
        assert found is not None
        self._open(scene_of(found, self._workspace.session.scenario), found)
        report_recording(self._workspace)
        self._workspace.session.playback.play()

    def _open(self, scenario: Scenario, found: Replay | None) -> None:
        session, before = self._workspace.session, self._workspace.session.scenario
        if self._workspace.messages.attempt(lambda: session.open(scenario, found, held=found is None)) is None:
            self._workspace.scene_opened(before)
        self._workspace.changed()

    def _take(self, came: Answer | InputError, now: float) -> None:
        """Process an answer of the phone, or the error in its place, at the time `now` on the app's clock [s]."""
        if isinstance(came, InputError):
            self._problem, self._flowing = str(came), False
        else:
            self._problem, self._measuring = None, came.measuring
            if came.restarted:
                self._shown = None
            self._flowing = self.recording.add(came) > 0
            if self._flowing:
                self._newest = now
            self._stalled = now - self._newest > STALLED

    def _show(self, elapsed: float) -> None:
        """Show the phone's motion as it was about DELAY before the newest row.

        `elapsed` is the time [s] since the last frame.
        """
        newest = float(self.recording.time[-1])
        goal = newest - DELAY
        if self._shown is None or not goal - LATE < self._shown <= newest:
            shown = goal
        else:  # evenly, a little faster or slower as it is behind or ahead
            shown = min(self._shown + elapsed * (1.0 + 0.5 * np.clip((goal - self._shown) / DELAY, -1.0, 1.0)), newest)
        if shown == self._shown:
            return
        self._shown = shown
        began = self.recording.began
        self._workspace.held = HeldData(self.recording.time - began, self.recording.omega_body, shown - began)
        orientation, omega = self.recording.at(shown)
        omega = omega if np.linalg.norm(omega) > RESTING else np.zeros(3)
        values = {
            "start.orientation_deg": tuple(np.degrees(angles_about_space_axes(orientation)).tolist()),
            "start.angular_velocity": tuple(omega.tolist()),
        }
        self._workspace.messages.attempt(lambda: self._workspace.session.change(values, undoable=False))
        self._workspace.changed()
