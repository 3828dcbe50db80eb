"""A scene in a notebook: it plays in the output of its cell, in a real JupyterLab."""

import io
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.processes import environment
from PIL import Image

CELLS = "import viewer\nscene = viewer.Scenario.preset('t-handle')\nscene.show_page()", "scene"
pytestmark = pytest.mark.slow  # 40 s
LIVE = "() => document.body.dataset.state === 'live'"


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An executed notebook."""
    path = tmp_path_factory.mktemp("lab") / "a.ipynb"
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [code | {"id": f"cell-{number}", "source": source} for number, source in enumerate(CELLS)]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert jupyter(path, "jupyter", "execute", "--inplace", path.name).wait(120) == 0
    return path


def jupyter(notebook: Path, *words: str) -> "subprocess.Popen[bytes]":
    home = notebook.parent
    return subprocess.Popen(
        [sys.executable, "-m", *words], cwd=home, env=environment(HOME=str(home)), stderr=subprocess.DEVNULL
    )


@pytest.fixture(scope="module")
def lab(notebook: Path) -> Iterator[str]:
    """The address of the notebook in a JupyterLab that trusts it."""
    assert jupyter(notebook, "jupyter", "trust", notebook.name).wait(60) == 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = jupyter(
        notebook, "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token="
    )
    try:
        until = time.monotonic() + 90.0
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/lab").close()
                break
            except OSError:
                assert server.poll() is None, "JupyterLab has ended"
                assert time.monotonic() < until, "JupyterLab does not answer"
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/lab/tree/{notebook.name}"
    finally:
        server.terminate()
        server.wait(30)


def test_a_notebook_shows_scenes_that_play(browser_page: Callable[..., Any], lab: str) -> None:
    page = browser_page("chromium", (1280, 1400)).page
    page.goto(lab)
    frames = page.locator("iframe[title='T-handle']")
    frames.nth(1).wait_for()
    assert frames.count() == 2
    for number in range(2):
        handle = frames.nth(number).element_handle()
        handle.scroll_into_view_if_needed()
        frame = handle.content_frame()
        frame.wait_for_function(LIVE)
        with Image.open(io.BytesIO(frame.locator("#canvas").screenshot())) as drawn:
            assert np.asarray(drawn.convert("L")).std() > 5.0  # measured: 24.7; 0 of an empty one


def test_what_shows_no_html_has_a_picture(notebook: Path) -> None:
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        (output,) = cell["outputs"]
        assert output["data"].keys() >= {"text/html", "image/png", "text/plain"}
