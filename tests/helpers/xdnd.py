"""A file manager's side of the drag and drop protocol of X (freedesktop.org's XDND 5), for one drop."""

import ctypes
from typing import Any

from pyglet.libs.x11 import xlib

ATOM = 4


class FileManager:
    """Drops a list of files on a window, through a connection of its own."""

    def __init__(self, formats: tuple[str, ...] = ("text/uri-list",)) -> None:
        self._display = xlib.XOpenDisplay(None)
        root = xlib.XDefaultRootWindow(self._display)
        self._window = xlib.XCreateSimpleWindow(self._display, root, 0, 0, 1, 1, 0, 0, 0)
        self._formats = [self._atom(name) for name in formats]
        self._data = b""
        self.delivered = False

    def _atom(self, name: str) -> int:
        return int(xlib.XInternAtom(self._display, name.encode(), False))

    def drop(self, target: int, data: str) -> None:
        """Drags over the middle of the window `target` and lets go there."""
        self._data = data.encode()
        xlib.XSetSelectionOwner(self._display, self._atom("XdndSelection"), self._window, xlib.CurrentTime)
        many = len(self._formats) > 3
        if many:
            atoms = (ctypes.c_ulong * len(self._formats))(*self._formats)
            self._property(self._window, self._atom("XdndTypeList"), ATOM, 32, atoms, len(atoms))
        self._send(target, "XdndEnter", 5 << 24 | many, *([0] * 3 if many else self._formats))
        self._send(target, "XdndPosition", 0, 300 << 16 | 300, 0, self._atom("XdndActionCopy"))
        self._send(target, "XdndDrop", 0, 0)

    def _send(self, target: int, kind: str, *words: int) -> None:
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.window = target
        event.xclient.message_type = self._atom(kind)
        event.xclient.format = 32
        for i, word in enumerate((self._window, *words)):
            event.xclient.data.l[i] = word
        xlib.XSendEvent(self._display, target, False, 0, ctypes.byref(event))
        xlib.XFlush(self._display)

    def _property(self, window: int, name: int, kind: int, bits: int, data: Any, count: int) -> None:
        pointer = ctypes.cast(data, ctypes.POINTER(ctypes.c_ubyte))
        xlib.XChangeProperty(self._display, window, name, kind, bits, xlib.PropModeReplace, pointer, count)

    def serve(self) -> bool:
        """Hands the data over when the target asks for it; True once that has happened."""
        event = xlib.XEvent()
        while xlib.XPending(self._display):
            xlib.XNextEvent(self._display, ctypes.byref(event))
            if event.type != xlib.SelectionRequest:
                continue
            asked = event.xselectionrequest
            buffer = ctypes.create_string_buffer(self._data, len(self._data))
            self._property(asked.requestor, asked.property, asked.target, 8, buffer, len(self._data))
            answer = xlib.XEvent()
            answer.xselection.type = xlib.SelectionNotify
            answer.xselection.requestor = asked.requestor
            answer.xselection.selection = asked.selection
            answer.xselection.target = asked.target
            answer.xselection.property = asked.property
            xlib.XSendEvent(self._display, asked.requestor, False, 0, ctypes.byref(answer))
            xlib.XFlush(self._display)
            self.delivered = True
        return self.delivered

    def close(self) -> None:
        xlib.XCloseDisplay(self._display)
