"""Films as Matroska and MP4 by PyAV (extra `film`), with the container's tag for stereo."""

from fractions import Fraction
from typing import Any, BinaryIO

import numpy as np

from viewer.common.errors import InputError
from viewer.common.part_file import WriteError
from viewer.export.film import mp4
from viewer.export.image_renderer import Image
from viewer.scenario.choices.stereo_modes import LEFT, RIGHT, STEREO_MODES
from viewer.scenario.sections.picture import Stereo

CONTAINERS = {".mkv": "matroska", ".mp4": "mp4"}
CODEC = "libx264"
QUALITY = {
    "preset": "veryfast",
    "crf": "17",
    "subme": "1",
}  # visually without loss; finer searching takes longer and saves nothing
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
EACH_COLOR = (
    "interlaced",
    "anaglyph",
)  # layouts in which blurred colours would show one eye the other's picture
ST3D = {"top_bottom": mp4.TOP_BOTTOM, "left_right": mp4.LEFT_RIGHT}


def stereo_tag(stereo: Stereo) -> str | None:
    """Matroska's name for the way both eyes share a picture; None where the picture is shown as it is."""
    mode = STEREO_MODES[stereo.mode]
    if mode.layout == "anaglyph":
        return ANAGLYPHS.get(stereo.glasses)
    tag = LEFT_FIRST.get(mode.layout) or LEFT_FIRST.get(mode.name)
    if tag is None:
        return None
    eyes = mode.weave[0] + tuple(row[0] for row in mode.weave[1:]) if mode.weave else mode.eyes
    first = RIGHT if stereo.exchange_eyes else LEFT
    return tag if eyes[0] == first else RIGHT_FIRST[tag]


def check(suffix: str, stereo: Stereo, size: tuple[int, int]) -> None:
    """Raises InputError where PyAV is missing, or a film of this kind cannot be."""
    try:
        import av  # noqa: F401
    except ImportError:
        raise InputError(
            f"output: {suffix} needs PyAV; pip install 'poinsot[film]' brings it, or write .gif"
        ) from None
    if size[0] % 2 or size[1] % 2:
        raise InputError(f"size: {size[0]}x{size[1]}; the sides of a film in {suffix} are even numbers")
    tag = stereo_tag(stereo)
    anaglyph = STEREO_MODES[stereo.mode].layout == "anaglyph"
    if suffix == ".mp4" and tag is not None and not anaglyph and tag not in ST3D:
        raise InputError(
            f"stereo.mode: MP4 has no tag for {tag.replace('_', ' ')}; allowed there are side-by-side and top-bottom"
            " with the left eye first, or write .mkv"
        )


class VideoWriter:
    """Encodes to an open file; where the eyes share pixels or their colours, every pixel keeps its own."""

    def __init__(
        self, file: BinaryIO, suffix: str, size: tuple[int, int], fps: Fraction, stereo: Stereo, texts: dict[str, str]
    ) -> None:  # fmt: skip
        import av

        self._av: Any = av
        self._suffix, self._tag = suffix, stereo_tag(stereo)
        self._container = av.open(file, "w", format=CONTAINERS[suffix])
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
        """The next picture."""
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
        try:
            self._container.mux(self._stream.encode(frame))
        except self._av.FFmpegError as error:
            raise self._plain(error) from None

    def finish(self) -> None:
        """The end of the film; the file stays open."""
        try:
            self._container.mux(self._stream.encode(None))
            self._container.close()
        except self._av.FFmpegError as error:
            raise self._plain(error) from None

    def _plain(self, error: Any) -> Exception:
        """As a WriteError where the system refuses, else as a line of ours."""
        if isinstance(error, OSError) and error.errno:
            return WriteError(error.errno, error.strerror)
        return InputError(f"output: the film cannot be encoded ({' '.join(str(error).split())})")

    def tag(self, file: BinaryIO) -> None:
        """Marks a finished MP4 film as stereo; raises InputError where the mark is not found again."""
        wanted = ST3D.get(self._tag or "") if self._suffix == ".mp4" else None
        if wanted is not None:
            mp4.mark(file, wanted)
            if mp4.marked(file) != wanted:
                raise InputError(f"output: the stereo tag of {self._suffix} could not be written")
