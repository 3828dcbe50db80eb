"""Films as Matroska and MP4 by PyAV (extra `film`), with the container's tag for stereo.

In MP4 the tag is the box st3d inside the video's sample entry: a full box (version and flags 0) with one byte, the
layout of the eyes (Google, "Spherical Video V2 RFC").
"""

import contextlib
import struct
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from viewer.common.errors import refusal
from viewer.common.part_file import WriteError
from viewer.export.image_renderer import Image
from viewer.scenario.choices.stereo_modes import LEFT, RIGHT, STEREO_MODES
from viewer.scenario.sections.picture import Stereo


class Container(NamedTuple):
    """A container of films; `name` is FFmpeg's."""

    name: str
    summary: str


CONTAINERS = {  # by suffix, the usual one first
    ".mp4": Container("mp4", "MP4, for players and slides"),
    ".mkv": Container("matroska", "Matroska, in every stereo mode"),
}
CODEC = "libx264"
# visually without loss; finer searching takes longer and saves nothing
QUALITY = {"preset": "veryfast", "crf": "17", "subme": "1"}
BT709 = 1  # primaries, transfer and matrix, as FFmpeg counts them
RIGHT_FIRST = {
    "left_right": "right_left",
    "top_bottom": "bottom_top",
    "row_interleaved_lr": "row_interleaved_rl",
    "col_interleaved_lr": "col_interleaved_rl",
    "checkerboard_lr": "checkerboard_rl",
}
LEFT_FIRST = {
    "columns": "left_right",
    "rows": "top_bottom",
    "row-interlaced": "row_interleaved_lr",
    "column-interlaced": "col_interleaved_lr",
    "checkerboard": "checkerboard_lr",
}
ANAGLYPHS = {"red-cyan": "anaglyph_cyan_red", "green-magenta": "anaglyph_green_magenta"}
EACH_COLOR = ("interlaced", "anaglyph")  # layouts in which blurred colours would be crosstalk between the eyes
TOP_BOTTOM, LEFT_RIGHT = 1, 2
GIF_COLORS = 256
PATH = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"avc1")  # boxes around the tag, from the outermost
ST3D = {"top_bottom": TOP_BOTTOM, "left_right": LEFT_RIGHT}


def stereo_tag(stereo: Stereo) -> str | None:
    """Return Matroska's name for the layout of both eyes in a frame, or None if the frame is shown as it is."""
    mode = STEREO_MODES[stereo.mode]
    if mode.layout == "anaglyph":
        return ANAGLYPHS.get(stereo.glasses)
    tag = LEFT_FIRST.get(mode.layout) or LEFT_FIRST.get(mode.name)
    if tag is None:
        return None
    eyes = mode.interlacing[0] + tuple(row[0] for row in mode.interlacing[1:]) if mode.interlacing else mode.eyes
    first = RIGHT if stereo.exchange_eyes else LEFT
    return tag if eyes[0] == first else RIGHT_FIRST[tag]


def check(suffix: str, stereo: Stereo, size: tuple[int, int]) -> None:
    """Raise InputError if PyAV is missing, or a film cannot have this container, stereo mode and size."""
    try:
        import av  # noqa: F401
    except ImportError:
        raise refusal(
            "output: {suffix} needs PyAV; pip install 'poinsot[film]' brings it, or write .gif", suffix=suffix
        ) from None
    if size[0] % 2 or size[1] % 2:
        raise refusal(
            "size: {width}x{height}; the sides of a film in {suffix} are even numbers",
            width=size[0],
            height=size[1],
            suffix=suffix,
        )
    tag = stereo_tag(stereo)
    anaglyph = STEREO_MODES[stereo.mode].layout == "anaglyph"
    if suffix == ".mp4" and tag is not None and not anaglyph and tag not in ST3D:
        raise refusal(
            "stereo.mode: MP4 has no tag for {layout}; allowed there are side-by-side and top-bottom with the left eye"
            " first, or write .mkv",
            layout=tag.replace("_", " "),
        )


class _Sink:
    """The open file to which PyAV writes; its first error is kept in `error` instead of being raised.

    FFmpeg goes on writing after an error, and PyAV prints a traceback for each error that is raised.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell = file.seek, file.tell
        self.error: WriteError | None = None

    def write(self, data: bytes) -> int:
        """Accept all of the data; after an error nothing is written."""
        if self.error is None:
            try:
                self._file.write(data)
            except WriteError as error:
                self.error = error
        return len(data)


class VideoWriter:
    """Encodes a film to an open file, which is not closed.

    In stereo modes in which the eyes share pixels, the colours are stored in full resolution.
    """

    def __init__(
        self, file: BinaryIO, suffix: str, size: tuple[int, int], fps: Fraction, stereo: Stereo, texts: dict[str, str]
    ) -> None:  # fmt: skip
        import av

        self._av: Any = av
        self._file, self._suffix, self._tag = file, suffix, stereo_tag(stereo)
        self._sink = _Sink(file)
        self._container = av.open(self._sink, "w", format=CONTAINERS[suffix].name)
        self._container.metadata.update(texts)
        self._stream: Any = self._container.add_stream(CODEC, rate=fps, options=QUALITY)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv444p" if STEREO_MODES[stereo.mode].layout in EACH_COLOR else "yuv420p"
        context = self._stream.codec_context
        context.time_base = 1 / fps
        context.color_primaries = context.color_trc = context.colorspace = BT709
        context.color_range = 1  # 16..235
        if self._suffix == ".mkv" and self._tag is not None:
            self._stream.metadata["stereo_mode"] = self._tag
        self._drawn = av.VideoFrame(*size, "rgb24")
        self._converter = av.video.reformatter.VideoReformatter()  # one for all: it keeps its tables
        self._count = 0

    def add(self, image: Image) -> None:
        """Encode the next frame."""
        plane = self._drawn.planes[0]
        rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
        rows[: len(image), : 3 * image.shape[1]] = image.reshape(len(image), -1)
        frame = self._converter.reformat(
            self._drawn,
            format=self._stream.pix_fmt,
            dst_colorspace="ITU709",
            src_color_range="JPEG",
            dst_color_range="MPEG",
        )
        frame.pts = self._count
        self._count += 1
        with self._plain_errors():
            self._container.mux(self._stream.encode(frame))

    def finish(self) -> None:
        """End the film, and declare an MP4 one as stereo."""
        with self._plain_errors():
            self._container.mux(self._stream.encode(None))
            self._container.close()
        if self._tag in ST3D and self._suffix == ".mp4" and not mark_stereo(self._file, ST3D[self._tag]):
            raise refusal("output: the stereo tag of .mp4 could not be written")

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        """Raise PyAV's errors as WriteError if the system refuses, else as InputError."""
        try:
            yield
            if self._sink.error is not None:
                raise self._sink.error
        except self._av.FFmpegError as error:
            if isinstance(error, OSError) and error.errno:
                raise WriteError(error.errno, error.strerror) from None
            reason = " ".join(str(error).split())
            raise refusal("output: the film cannot be encoded ({reason})", reason=reason) from None


def mark_stereo(file: BinaryIO, layout: int) -> bool:
    """Put the box st3d into a finished film; return False if that is not possible.

    If moov is not the last box of the film, the film is left as it is. It has one track, like all films of
    `VideoWriter`.
    """
    start, size = _moov(file)
    file.seek(start)
    longer = bytearray(file.read(size))
    box = struct.pack(">I4sIB", 13, b"st3d", 0, layout)
    heads, at = list[int](), 0
    for kind in PATH:
        at = longer.find(kind, at)
        if at < 0:
            return False
        heads.append(at - 4)
    (length,) = struct.unpack_from(">I", longer, heads[-1])
    for head in heads:
        struct.pack_into(">I", longer, head, struct.unpack_from(">I", longer, head)[0] + len(box))
    end = heads[-1] + length
    longer[end:end] = box
    file.seek(start)
    file.write(longer)
    return True


def _moov(file: BinaryIO) -> tuple[int, int]:
    """Return the position and the size of the moov box; the size is 0 if it is not the last box of the file."""
    end, start = file.seek(0, 2), 0
    while start + 8 <= end:
        file.seek(start)
        size, kind = struct.unpack_from(">I4s", file.read(8))
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
        if size < 8:
            break
        if kind == PATH[0]:
            return start, size if start + size == end else 0
        start += size
    return start, 0


class GifWriter:
    """Writes frames of (width, height), each shown for `seconds`, rounded to 0.01 s so that the sum is right.

    `text` is the scene, which the file holds. The palette of all frames comes from the pictures in `sample`.
    """

    def __init__(
        self, file: BinaryIO, size: tuple[int, int], seconds: float, text: str, sample: Sequence[Image]
    ) -> None:
        from PIL import Image as pillow

        self._file, self._seconds, self._pillow = file, seconds, pillow
        self._palette = pillow.fromarray(_colors(np.concatenate(sample))).quantize(
            GIF_COLORS, method=pillow.Quantize.MEDIANCUT
        )
        colors = bytes(self._palette.getpalette() or []).ljust(3 * GIF_COLORS, b"\0")
        file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0) + colors)
        file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")  # for ever
        file.write(b"!\xfe" + _blocks(text.encode()))
        self._wanted = self._written = 0.0  # s: for how long the pictures should be shown, and will be

    def add(self, image: Image) -> None:
        """Write the next frame, (H, W, 3)."""
        from PIL import GifImagePlugin

        self._wanted += self._seconds
        hundredths = max(1, round(100 * (self._wanted - self._written)))
        self._written += hundredths / 100
        self._file.write(b"!\xf9\x04\x04" + struct.pack("<H", hundredths) + b"\0\0")
        picture = self._pillow.fromarray(np.ascontiguousarray(image)).quantize(
            palette=self._palette, dither=self._pillow.Dither.NONE
        )
        for block in GifImagePlugin.getdata(picture):
            self._file.write(block)

    def finish(self) -> None:
        """Write the end of the file, which is not closed."""
        self._file.write(b";")


def _colors(image: Image) -> Image:
    """Return the image's colours in one row, each as often as the root of its count, so that rare ones matter."""
    pixels = image.reshape(-1, 3)
    coarse = (pixels >> 2).astype(np.int32) @ np.array([1 << 12, 1 << 6, 1], dtype=np.int32)
    _, first, counts = np.unique(coarse, return_index=True, return_counts=True)
    return np.repeat(pixels[first], np.ceil(np.sqrt(counts)).astype(int), axis=0)[None]


def _blocks(data: bytes) -> bytes:
    """Return the data in sub-blocks of at most 255 bytes, followed by the empty one."""
    parts = [data[i : i + 255] for i in range(0, len(data), 255)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"
