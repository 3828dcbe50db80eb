"""Pages in real browsers that nobody sees: Debian's Chromium, by playwright, and its Firefox, by Marionette."""

import base64
import io
import json
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from helpers.processes import environment
from helpers.virtual_screen import virtual_screen
from viewer.export.page.modules import declared_in, joined

Pixels = NDArray[np.uint8]
SOFTWARE_GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox")
PREFERENCES = {  # of Firefox
    "webgl.force-enabled": True,
    "webgl.out-of-process": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "app.update.auto": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "layout.css.devPixelsPerPx": "1.0",
}
CONSOLE = """
    const own = (name) => /^(resource|chrome):/.test(name);
    const text = (part) => typeof part === "string" ? part : String(part);
    const storage = Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage);
    const logged = storage.getEvents().filter((event) => !own(event.filename))
        .map((event) => `${event.level}: ${event.arguments.map(text).join(" ")}`);
    const raised = Services.console.getMessageArray()
        .filter((message) => message instanceof Ci.nsIScriptError && message.sourceName && !own(message.sourceName))
        .map((message) => `error: ${message.errorMessage}`);
    return [...logged, ...raised];
"""
FORGET = """
    Services.console.reset();
    Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage).clearEvents();
"""


def page_of(modules: list[str], body: str = "", head: str = "") -> str:
    """The HTML of a page with these modules of `assets/page/`; all names that they declare are the window's, too."""
    names = ", ".join(name for module in modules for name in declared_in(module))
    source = f"{joined(modules)}\nObject.assign(window, {{ {names} }});"
    style = "<style>body { margin: 0; background: black; } canvas { display: block; }</style>"
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Test</title><link rel="icon" href="data:,">'
        f'{style}{head}</head><body>{body}<script type="module">{source}</script></body></html>'
    )


class BrowserPage(Protocol):
    """A page of a browser, empty at first; `messages`: all that its console shows, errors too."""

    @property
    def messages(self) -> list[str]:
        """What the console shows."""

    def open(self, html: str | Path) -> None:
        """Opens a file, or a file with this text, and waits until it is loaded."""

    def evaluate(self, expression: str, *arguments: Any) -> Any:
        """The value of a JavaScript expression; of a function: called with `arguments`; of a promise: awaited."""

    def screenshot(self) -> Pixels:
        """What is seen, (H, W, 3)."""


class ChromiumPage:
    """`page` is playwright's, with its mouse, keyboard and touchscreen."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self._folder = page, folder
        self.messages: list[str] = []
        page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))

    def open(self, html: str | Path) -> None:
        self.page.goto(_file(html, self._folder).as_uri())

    def evaluate(self, expression: str, *arguments: Any) -> Any:
        return self.page.evaluate(_called(expression, arguments))

    def screenshot(self) -> Pixels:
        return _pixels(self.page.screenshot())


class Chromium:
    """One process for all pages."""

    def __init__(self) -> None:
        self._playwright = sync_playwright().start()
        self._browser: Browser = self._playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=list(SOFTWARE_GL)
        )

    def page(self, folder: Path, size: tuple[int, int], **context: Any) -> ChromiumPage:
        """A new page; `context`: of playwright's `new_context`: `device_scale_factor`, `has_touch`, .."""
        context = {"viewport": {"width": size[0], "height": size[1]}, **context}
        page = self._browser.new_context(**context).new_page()
        page.set_default_timeout(120_000)
        return ChromiumPage(page, folder)

    def close(self, page: ChromiumPage) -> None:
        """Closes a page."""
        page.page.context.close()

    def quit(self) -> None:
        """Ends the process."""
        self._browser.close()
        self._playwright.stop()


class FirefoxPage:
    """A page of Firefox; without input."""

    def __init__(self, firefox: "Firefox", folder: Path) -> None:
        self._firefox, self._folder = firefox, folder

    @property
    def messages(self) -> list[str]:
        return self._firefox.privileged(CONSOLE)

    def open(self, html: str | Path) -> None:
        self._firefox.ask("WebDriver:Navigate", url=_file(html, self._folder).as_uri())

    def evaluate(self, expression: str, *arguments: Any) -> Any:
        script = (
            "const done = arguments[0], failed = (error) => done([null, String(error)]);"
            f"(async () => {{ const found = ({_called(expression, arguments)});"
            "return typeof found === 'function' ? found() : found; })().then((value) => done([value, null]), failed);"
        )
        value, error = self._firefox.ask("WebDriver:ExecuteAsyncScript", script=script, args=[], sandbox=None)
        assert error is None, error
        return value

    def screenshot(self) -> Pixels:
        return _pixels(base64.b64decode(self._firefox.ask("WebDriver:TakeScreenshot", full=False, hash=False)))


class Firefox:
    """One process for all pages, one of which is open at a time. Marionette: JSON behind its length and a colon.

    It has a virtual screen, as without one it has no WebGL.
    """

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        lines.append(f'user_pref("marionette.port", {port});')
        self._opened = ExitStack()
        (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self._process = subprocess.Popen(
            [
                "/usr/bin/firefox-esr",
                "--marionette",
                "--remote-allow-system-access",
                "--no-remote",
                "--profile",
                folder,
            ],
            env=environment(DISPLAY=self._opened.enter_context(virtual_screen("2200x1300")), HOME=str(folder)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._socket = self._connected(port)
        self._stream = self._socket.makefile("rb")
        self._asked = 0
        self._read()
        self.ask("WebDriver:NewSession", strictFileInteractability=True)
        self.ask("WebDriver:SetTimeouts", script=120_000)

    def _connected(self, port: int) -> socket.socket:
        until = time.monotonic() + 90.0
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=150.0)
            except OSError:
                assert time.monotonic() < until, "Firefox does not start"
                assert self._process.poll() is None, "Firefox has ended"
                time.sleep(0.2)

    def _read(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            assert byte, "Firefox has ended"
            length += byte
        return json.loads(self._stream.read(int(length)))

    def ask(self, command: str, **parameters: Any) -> Any:
        """The answer to a command; fails with an error of Firefox."""
        self._asked += 1
        message = json.dumps([0, self._asked, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        assert error is None, f"{command}: {error}"
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def privileged(self, script: str, *arguments: Any) -> Any:
        """The value that a script returns which may use what belongs to the browser, in the page's process."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=list(arguments), sandbox="system")

    def page(self, folder: Path, size: tuple[int, int]) -> FirefoxPage:
        """A new page."""
        tab = self.ask("WebDriver:NewWindow", type="tab", focus=True)
        self.ask("WebDriver:SwitchToWindow", handle=tab["handle"], focus=True)
        self.privileged(FORGET)
        page = FirefoxPage(self, folder)
        around = page.evaluate("[outerWidth - innerWidth, outerHeight - innerHeight]")
        self.ask("WebDriver:SetWindowRect", width=size[0] + around[0], height=size[1] + around[1])
        assert page.evaluate("[innerWidth, innerHeight]") == list(size)
        return page

    def close(self, page: FirefoxPage) -> None:
        """Closes the page; a first, empty tab keeps the process alive."""
        handles = self.ask("WebDriver:CloseWindow")
        self.ask("WebDriver:SwitchToWindow", handle=handles[0], focus=True)

    def quit(self) -> None:
        """Ends the process."""
        self._stream.close()
        self._socket.close()
        self._process.terminate()
        self._process.wait(30)
        self._opened.close()


def _file(html: str | Path, folder: Path) -> Path:
    if isinstance(html, Path):
        return html
    written = folder / "page.html"
    written.write_text(html, encoding="utf-8")
    return written


def _called(expression: str, arguments: tuple[Any, ...]) -> str:
    return f"({expression})({', '.join(map(json.dumps, arguments))})" if arguments else expression


def _pixels(png: bytes) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
