"""Pages made without a window: of a scene, of a playlist, and in a notebook."""

import functools
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from html import escape
from pathlib import Path
from typing import BinaryIO

from viewer.common.errors import GraphicsError
from viewer.common.language import marked, tr
from viewer.common.output_files import WholeFile, output_suffix
from viewer.export.console import Progress
from viewer.export.offscreen import NOTEBOOK_SIZE, guest, offscreen_renderer
from viewer.export.page.writer import PageScene, page_steps
from viewer.scenario.scenario import Scenario

FRAME = (  # of a page in a notebook
    '<iframe srcdoc="{page}" width="100%" height="440" frameborder="0"'
    ' allow="fullscreen; xr-spatial-tracking" title="{title}"></iframe>'
)


def write_page(
    path: str | os.PathLike[str],
    scenes: Sequence[PageScene],
    heading: str = "",
    target: AbstractContextManager[BinaryIO] | None = None,
) -> None:
    """Write a page, whole or not at all; `heading` stands at its top in place of the first scene's title.

    `target` provides the open file; by default the file at `path` is replaced. Raises InputError, GraphicsError.
    """
    output_suffix(path, marked("page"), [".html"])
    with guest(), target or WholeFile(path) as file, Progress(len(scenes), "scene") as progress:
        for rows in page_steps(file, offscreen_renderer(), scenes, heading):
            if rows == scenes[0].size[1]:
                progress.advance()


def show_page(scenario: Scenario) -> None:
    """Show the scene, playing, below the cell of a notebook; outside of one, in the web browser."""
    shell = sys.modules.get("IPython")
    if shell is not None and shell.get_ipython() is not None:
        shell.display.display(scenario)
        return
    import webbrowser

    path = Path(tempfile.mkdtemp(prefix="poinsot-"), "scene.html")
    write_page(path, [PageScene(scenario)])
    webbrowser.open(path.as_uri())


@functools.lru_cache(maxsize=4)
def notebook_page(scenario: Scenario) -> str | None:
    """Return the page of a scene in a frame, as HTML, or None if this machine has no OpenGL."""
    page = io.BytesIO()
    try:
        write_page("scene.html", [PageScene(scenario, size=NOTEBOOK_SIZE)], target=nullcontext(page))
    except GraphicsError:
        return None
    return FRAME.format(page=escape(page.getvalue().decode()), title=escape(tr(scenario.title)))
