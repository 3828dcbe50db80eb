"""What pyglet's window leaves to be done on X11.

Keys that are released under other modifiers or in another window, full screen as the window manager does it, the
pointer that stays where it is, and files that are dragged in.
"""

from ctypes import POINTER, byref, c_char, c_int, c_ubyte, c_ulong, cast
from typing import Any

from pyglet.libs.x11 import xlib

from viewer.ui.platform.pyglet_options import Window

STATE, FULL = "_NET_WM_STATE", "_NET_WM_STATE_FULLSCREEN"  # Extended Window Manager Hints 1.5
TOGGLE, FROM_APPLICATION = 2, 1
MANAGER_EVENTS = xlib.SubstructureRedirectMask | xlib.SubstructureNotifyMask
MOST_ATOMS = 1024


class XWindow(Window):  # type: ignore[misc]
    """A window on X11."""

    def _event_text_symbol(self, event: Any) -> tuple[str | None, int | None]:
        """Return for the release of a key the symbol of its press, as Shift may have been released before it.

        Otherwise pyglet takes the key to be held for ever, and its next presses for repetitions.
        """
        text, symbol = super()._event_text_symbol(event)
        down, code = self._keys_down(), event.xkey.keycode
        if event.type != xlib.KeyPress:
            return text, down.pop(code, symbol)
        if code not in down:
            self.pressed_keys.discard(symbol)
        down[code] = symbol
        return text, symbol

    def _keys_down(self) -> dict[int, int | None]:
        """Return the symbols of the keys that are held, by their codes."""
        found: dict[int, int | None] = self.__dict__.setdefault("_keys", {})  # events come before there is an __init__
        return found

    def forget_released_keys(self) -> None:
        """Forget the keys that were released where this window did not hear of it."""
        bits = (c_char * 32)()
        xlib.XQueryKeymap(self._x_display, bits)
        held = bytes(bits.raw)
        for code in list(self._keys_down()):
            if not held[code // 8] >> code % 8 & 1:
                del self._keys_down()[code]

    def set_mouse_position(self, x: int, y: int) -> None:
        """Do nothing: pyglet moves the pointer into the corner of a full screen where there is no Xinerama."""

    @property
    def fullscreen(self) -> bool:
        """Whether it takes the whole screen, by itself or by the window manager."""
        return bool(self._fullscreen) or self._atom(FULL) in self._atoms(self._window, STATE)

    def manager_toggles_fullscreen(self) -> bool:
        """Let the window manager lead to full screen or back, also to a maximised window; return whether it can."""
        root = self._get_root()
        if self._fullscreen or self._atom(FULL) not in self._atoms(root, "_NET_SUPPORTED"):
            return False
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.display = cast(self._x_display, POINTER(xlib.Display))
        event.xclient.window = self._window
        event.xclient.message_type = self._atom(STATE)
        event.xclient.format = 32
        for number, value in enumerate((TOGGLE, self._atom(FULL), 0, FROM_APPLICATION)):
            event.xclient.data.l[number] = value
        xlib.XSendEvent(self._x_display, root, False, MANAGER_EVENTS, byref(event))
        xlib.XFlush(self._x_display)
        return True

    def _atom(self, name: str) -> int:
        return int(xlib.XInternAtom(self._x_display, name.encode("ascii"), False))

    def _atoms(self, window: int, name: str) -> set[int]:
        """Return the atoms in a property of a window; none where it has no such property."""
        kind, form, count, left = xlib.Atom(), c_int(), c_ulong(), c_ulong()
        data = POINTER(c_ubyte)()
        xlib.XGetWindowProperty(
            self._x_display, window, self._atom(name), 0, MOST_ATOMS, False, self._atom("ATOM"),
            byref(kind), byref(form), byref(count), byref(left), byref(data),
        )  # fmt: skip
        if not data:
            return set()
        found = set(cast(data, POINTER(c_ulong))[: count.value])
        xlib.XFree(data)
        return found

    def _event_drag_enter(self, event: Any) -> None:
        """Take a file that offers up to three formats, for which pyglet 2.1 adds 2 to a ctypes array, which fails."""
        few = not event.xclient.data.l[1] & 1
        if not few:
            super()._event_drag_enter(event)
            return
        longs = event.xclient.data.l
        self._xdnd_source, self._xdnd_version = longs[0], longs[1] >> 24
        wanted = self._xdnd_atoms["text/uri-list"]
        self._xdnd_format = wanted if wanted in (longs[2], longs[3], longs[4]) else None
