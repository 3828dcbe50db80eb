"""Files of pictures and pages, with one entry a format.

Each file holds the program's version and, but for glTF, the scene that it shows.
"""

import io
import os
import struct
import zlib
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from viewer.common import __version__
from viewer.common.errors import refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.output_files import WholeFile, output_suffix
from viewer.export.console import Progress
from viewer.export.image_renderer import Image, ImageRenderer, Shot
from viewer.scenario.choices.stereo_modes import WIGGLES
from viewer.scenario.embedded import PNG_BEGIN, headed, png_chunk, png_text_chunk
from viewer.scenario.scenario import Scenario
from viewer.scene.words.formatting import short

JPEG: dict[str, Any] = {"format": "JPEG", "quality": 92, "subsampling": 0}
LARGEST_SIDE = 65_500  # of a JPEG, for its library
MOST_PIXELS = 2**28  # of a picture that has to be in memory as a whole
SOFTWARE = f"Poinsot {__version__}"
Steps = Generator[int, None, None]  # yields the number of rows of a picture that are drawn
AT_ONCE = 64  # rows of a PNG
COLOR_TYPES = {3: 2, 4: 6}  # by channels: RGB, RGBA
SRGB = b"\0"  # rendering intent "perceptual"
PAGE = ".html"
SUITED_TRIANGLES = 20_000  # of the body of a page, which then takes less than a megabyte
PAIR = "side-by-side"  # the mode whose halves are the two eyes' full pictures


class PngWriter:
    """Writes a PNG of (width, height) with 3 or 4 channels, strip by strip from its top row down.

    A picture of any size therefore needs only the memory of a strip. `text` is the scene that the file holds.
    """

    def __init__(self, file: BinaryIO, size: tuple[int, int], channels: int, text: str, software: str) -> None:
        self._file = file
        self._packer = zlib.compressobj(strategy=zlib.Z_RLE)  # as small as with level 2, in 0.8 of the time
        self._above = np.zeros((1, size[0] * channels), dtype=np.uint8)
        file.write(PNG_BEGIN)
        file.write(png_chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, COLOR_TYPES[channels], 0, 0, 0)))
        file.write(png_chunk(b"sRGB", SRGB))
        file.write(png_chunk(b"tEXt", b"Software\0" + software.encode("latin-1")))
        if text:
            file.write(png_text_chunk(text))

    def write(self, rows: NDArray[np.uint8]) -> None:
        """Write the next rows, (n, width, channels)."""
        for start in range(0, len(rows), AT_ONCE):
            self._put(self._packer.compress(self._filtered(rows[start : start + AT_ONCE])))

    def finish(self) -> None:
        """Write the end of the picture; the file is not closed."""
        self._put(self._packer.flush())
        self._file.write(png_chunk(b"IEND", b""))

    def _put(self, packed: bytes) -> None:
        if packed:
            self._file.write(png_chunk(b"IDAT", packed))

    def _filtered(self, rows: NDArray[np.uint8]) -> bytes:
        """Return the bytes of each row as differences from the pixel to the left or above, whichever are smaller."""
        count, channels = len(rows), rows.shape[2]
        flat = rows.reshape(count, -1)
        lines = np.empty((2, count, 1 + flat.shape[1]), dtype=np.uint8)
        lines[0, :, 0], lines[1, :, 0] = 1, 2
        left, up = lines[:, :, 1:]
        left[:, :channels] = flat[:, :channels]
        np.subtract(flat[:, channels:], flat[:, :-channels], out=left[:, channels:])
        np.subtract(flat, np.concatenate([self._above, flat[:-1]]), out=up)
        self._above = flat[-1:].copy()
        sizes = [np.minimum(part, -part).sum(axis=1, dtype=np.uint64) for part in (left, up)]
        smaller: NDArray[np.uint8] = lines[(sizes[1] < sizes[0]).astype(np.intp), np.arange(count)]
        return smaller.tobytes()


@frozen
class RenderJob:
    """An image to be rendered into a file."""

    renderer: ImageRenderer
    shot: Shot

    @property
    def text(self) -> str:
        """The scene, as it is embedded in the file."""
        return headed(self.shot.scenario.to_text(), __version__, self.shot.snapshot.reading.time)

    def eyes(self) -> Generator[int, None, tuple[Image, Image]]:
        """Draw the left and the right eye's picture, each of the full size; yield the rows drawn so far."""
        width, height = self.shot.size
        pair = self.shot.scenario.with_value("stereo.mode", PAIR)
        both = yield from self.renderer.steps(replace(self.shot, scenario=pair, size=(2 * width, height)))
        return both[:, :width], both[:, width:]


def _write_png(job: RenderJob, file: BinaryIO) -> Steps:
    shot = job.shot
    writer, rows = PngWriter(file, shot.size, 4 if shot.transparent else 3, job.text, SOFTWARE), 0
    for strip in job.renderer.strips(shot):
        writer.write(strip)
        rows += len(strip)
        yield rows
    writer.finish()


def _write_jpeg(job: RenderJob, file: BinaryIO) -> Steps:
    _save_jpeg((yield from job.renderer.steps(job.shot)), job.text, file)


def _write_jps(job: RenderJob, file: BinaryIO) -> Steps:
    """Write a JPEG of both eyes side by side, the right eye's view first (for crossed viewing)."""
    left, right = yield from job.eyes()
    _save_jpeg(np.concatenate([right, left], axis=1), job.text, file)


def _save_jpeg(image: Image, text: str, file: BinaryIO) -> None:
    from PIL import Image as pillow

    data = io.BytesIO()  # to a file Pillow would write past it, by its descriptor
    pillow.fromarray(image).save(data, comment=text.encode(), **JPEG)
    file.write(data.getbuffer())


def _write_mpo(job: RenderJob, file: BinaryIO) -> Steps:
    """Write two JPEGs in one file, the left eye's first (CIPA DC-007, multi-picture format)."""
    from PIL import Image as pillow

    eyes = yield from job.eyes()
    left, right = (pillow.fromarray(np.ascontiguousarray(eye)) for eye in eyes)
    data = io.BytesIO()
    options = JPEG | {"format": "MPO", "append_images": [right], "comment": job.text.encode()}
    left.save(data, save_all=True, **options)
    file.write(_marked_as_stereo(data.getvalue()))


DISPARITY = 0x020002  # the type of a stereo pair's pictures, CIPA DC-007, 5.2.3.3
REPRESENTATIVE = 0x20000000
ENTRY_TAG, ENTRY_SIZE = 0xB002, 16


def _marked_as_stereo(data: bytes) -> bytes:
    """Return the file with its pictures declared as a stereo pair, which Pillow does not do."""
    start = data.index(b"MPF\0") + 4
    order = "<" if data[start : start + 2] == b"II" else ">"
    (directory,) = struct.unpack_from(f"{order}I", data, start + 4)
    (count,) = struct.unpack_from(f"{order}H", data, start + directory)
    patched = bytearray(data)
    for entry in range(count):
        at = start + directory + 2 + 12 * entry
        tag, _kind, size, offset = struct.unpack_from(f"{order}HHII", data, at)
        if tag == ENTRY_TAG:
            for i in range(size // ENTRY_SIZE):
                attribute = DISPARITY | (REPRESENTATIVE if i == 0 else 0)
                struct.pack_into(f"{order}I", patched, start + offset + ENTRY_SIZE * i, attribute)
    return bytes(patched)


def _write_wiggle(job: RenderJob, file: BinaryIO) -> Steps:
    """Write both eyes' pictures, which are shown in turn for ever."""
    from viewer.export.video import GifWriter

    eyes = yield from job.eyes()
    writer = GifWriter(file, job.shot.size, 1.0 / WIGGLES, job.text, eyes)
    for eye in eyes:
        writer.add(eye)
    writer.finish()


def _write_page(job: RenderJob, file: BinaryIO) -> Steps:
    """Write a page of the scene itself, without what the window has changed of its motion; it opens at this moment."""
    from viewer.export.page.writer import PageScene, page_steps

    shot = job.shot
    scene = PageScene(shot.scenario, shot.snapshot.reading.time, shot.size, shot.samples)
    yield from page_steps(file, job.renderer, [scene])


def _write_glb(job: RenderJob, file: BinaryIO) -> Steps:
    from viewer.export.gltf.scene import glb_of

    file.write(glb_of(job.shot.scenario, job.shot.snapshot.reading.time))
    yield job.shot.size[1]


@frozen
class ImageFormat:
    """A format of pictures; `write` writes a picture, and yields the number of rows drawn so far.

    If `both_eyes`, the file holds both eyes' pictures, each of the full size, whatever the scene's stereo mode.
    `bytes_per_pixel` is roughly the size of the file per pixel for a typical scene: measured from 1 to 16 million
    pixels, it falls from 0.70 to 0.34 for PNG, and from 0.11 to 0.06 for JPEG. If `plays`, the file shows the motion
    and not one moment; `command` is then how the list of commands calls it.
    """

    summary: str
    write: Callable[[RenderJob, BinaryIO], Steps]
    bytes_per_pixel: float
    both_eyes: bool = False
    transparent: bool = False
    streamed: bool = False
    plays: bool = False
    command: str = ""

    @property
    def label(self) -> str:
        """The name of the format: the summary up to its first comma."""
        return self.summary.partition(",")[0]


FORMATS: dict[str, ImageFormat] = {  # by suffix
    ".png": ImageFormat("PNG, any size, transparent if asked", _write_png, 0.6, transparent=True, streamed=True),
    ".jpg": ImageFormat("JPEG", _write_jpeg, 0.1),
    ".jpeg": ImageFormat("JPEG", _write_jpeg, 0.1),
    ".jps": ImageFormat("JPEG stereo: both eyes, the right view first", _write_jps, 0.1, both_eyes=True),
    ".mpo": ImageFormat("multi-picture: both eyes, as stereo cameras write them", _write_mpo, 0.1, both_eyes=True),
    ".gif": ImageFormat("wiggle: the eyes in turn", _write_wiggle, 0.4, both_eyes=True),
    PAGE: ImageFormat("page: plays in any browser", _write_page, 0.1, plays=True, command=marked("Save a page")),
    ".glb": ImageFormat(
        "glTF: the moving figure for other programs", _write_glb, 1.0, plays=True, command=marked("Save a glTF file")
    ),
}


def format_of(path: str | os.PathLike[str]) -> ImageFormat:
    """Return the format that a file's suffix selects. Raises InputError if there is none, or no folder for the file."""
    return FORMATS[output_suffix(path, marked("picture, page or glTF"), FORMATS)]


def write_image(
    path: str | os.PathLike[str],
    renderer: Callable[[], ImageRenderer],
    shot: Shot,
    target: AbstractContextManager[BinaryIO] | None = None,
) -> None:
    """Draw a shot to a file, whole or not at all; its suffix selects the format.

    `renderer` is called once all values are checked. `target` provides the open file; by default the file at `path` is
    replaced. Raises InputError if a value is not allowed or the file cannot be written, GraphicsError if the shot
    cannot be drawn.
    """
    with Progress(shot.size[1], "row") as progress, closing(image_steps(path, renderer, shot, target)) as steps:
        for rows in steps:
            progress.advance(rows - progress.done)


def image_steps(
    path: str | os.PathLike[str],
    renderer: Callable[[], ImageRenderer],
    shot: Shot,
    target: AbstractContextManager[BinaryIO] | None = None,
) -> Steps:
    """Draw a shot to a file step by step, and yield the number of rows drawn so far.

    If the steps are closed before their end, they leave no file.
    """
    wanted, suffix = format_of(path), Path(path).suffix.lower()
    if shot.transparent and not wanted.transparent:
        raise refusal("transparent: {suffix} has no transparency; allowed is .png", suffix=suffix)
    width, height = shot.size
    pixels = width * height * (2 if wanted.both_eyes else 1)
    if not wanted.streamed and (pixels > MOST_PIXELS or max(2 * width, height) > LARGEST_SIDE):
        raise refusal(
            "size: {size} is too large for {suffix}; allowed is .png", size=f"{width}x{height}", suffix=suffix
        )
    job = RenderJob(renderer(), shot)
    with target or WholeFile(path) as file:
        yield from wanted.write(job, file)


def needed(path: str | os.PathLike[str], size: tuple[int, int]) -> tuple[int, float]:
    """Return the number of pixels of a picture of this (width, height), and roughly the number of bytes of its file."""
    wanted = format_of(path)
    pixels = size[0] * size[1] * (2 if wanted.both_eyes else 1)
    return pixels, pixels * wanted.bytes_per_pixel


def remarks(path: str | os.PathLike[str], scenario: Scenario) -> str:
    """Return what is to say of a file that was written: what it cannot show of a scene, and why it is large."""
    if Path(path).suffix.lower() != PAGE:
        return ""
    from viewer.export.page.writer import as_drawn

    drawn, left_out = as_drawn(scenario)
    mesh = drawn.rigid_body().mesh
    if mesh is None or len(mesh.faces) <= SUITED_TRIANGLES:
        return left_out
    text = tr("The page takes {size} MB: its body has {count:,} triangles. A mesh editor makes {suited:,} of them.")
    size = short(os.path.getsize(path) / 1e6)
    return f"{left_out} {text.format(size=size, count=len(mesh.faces), suited=SUITED_TRIANGLES)}".lstrip()


def save_image(image: Image, path: str | os.PathLike[str]) -> None:
    """Write an image (H, W, 3) to a .png or .jpg file, whole or not at all. Raises InputError."""
    wanted = format_of(path)
    if wanted.both_eyes:
        raise refusal("output: {path} holds both eyes' pictures; allowed are .png, .jpg", path=shown(os.fspath(path)))
    with WholeFile(path) as file:
        (_save_png if wanted.streamed else _save_jpeg)(image, "", file)


def png_bytes(image: Image, scene: str) -> bytes:
    """Return an image as a PNG file that holds the scene."""
    file = io.BytesIO()
    _save_png(image, headed(scene, __version__, 0.0), file)
    return file.getvalue()


def _save_png(image: Image, text: str, file: BinaryIO) -> None:
    writer = PngWriter(file, (image.shape[1], image.shape[0]), image.shape[2], text, SOFTWARE)
    writer.write(image)
    writer.finish()
