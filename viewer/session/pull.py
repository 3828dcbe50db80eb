"""A body that is pulled for a while: the torque of the pull takes the place of the scene's own until it ends."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viewer.session.session import Session

TORQUE = "loads.torque"
Vector = tuple[float, float, float]


class Pull:
    """Pulls the body of `session`: all of a pull is one step of undo. A paused motion runs meanwhile."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._own: Vector | None = None
        self._paused = False  # the motion, before it was pulled

    @property
    def own(self) -> Vector | None:
        """The scene's own torque [N m], while the body is pulled."""
        return self._own

    def to(self, torque: Vector) -> None:
        """From now on the scene's torque is this one [N m], until `end`; the automatic speed stays meanwhile.

        Raises InputError where the motion takes none.
        """
        session = self._session
        if self._own is not None:
            session.change({TORQUE: torque})
            return
        session.commit_change()
        own, speed = session.scenario.loads.torque, session.scene.speed
        session.change({TORQUE: torque})
        self._own, self._paused = own, not session.playback.playing
        session.playback.play()
        session.playback.keep_speed(speed)

    def end(self) -> None:
        """The torque is the scene's own again, and the speed goes over to what the motion asks for now; a motion that
        was paused before the pull is paused again."""
        own = self.let_go()
        if own is not None:
            self._session.change({TORQUE: own})
            self._session.commit_change()

    def let_go(self) -> Vector | None:
        """The same, but for the torque, which was this one before; None where nothing is pulled."""
        own, self._own = self._own, None
        if own is not None:
            self._session.playback.settle_speed()
            if self._paused:
                self._session.playback.pause()
        return own
