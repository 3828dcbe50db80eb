"""What the dialog for pictures and films knows of the kinds of files, and what it asks for."""

from viewer.common.frozen import frozen


@frozen
class Kind:
    """A kind of file. `fps`: pictures a second unless others are asked for, 0 for a picture.

    `both_eyes`: it holds each eye's picture, whatever the stereo mode.
    """

    suffix: str
    summary: str
    fps: int = 0
    transparent: bool = False
    both_eyes: bool = False


@frozen
class FilmWanted:
    """As typed: `seconds` of film at `fps` pictures a second, from the time `start` [s] on, at `speed`.

    `shutter`: how far it opens [degrees].
    """

    seconds: str
    fps: str
    start: str
    speed: str
    shutter: str


@frozen
class Wanted:
    """A file to write. `size`: as typed, such as "1920x1080". `film`: None for a picture."""

    path: str
    size: str
    transparent: bool = False
    film: FilmWanted | None = None


@frozen
class SaveProgress:
    """How far a file is: its name, the fraction that is done, and both in words."""

    name: str
    fraction: float
    text: str
