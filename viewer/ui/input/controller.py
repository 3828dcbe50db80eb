"""Passes each input on to the interface, to the action of a key, or to the view.

The positions in events are pyglet's: from the window's lower left corner, upwards.
"""

import time
from collections import deque
from collections.abc import Callable
from functools import partial

from viewer.commands.actions import ACTION_OF, Action
from viewer.common.language import tr
from viewer.scene.naming.spot import part_in
from viewer.ui.input.grab import Grab
from viewer.ui.platform.imgui_events import ImguiInput, key_name
from viewer.ui.platform.pyglet_options import key, mouse
from viewer.ui.ui import Ui
from viewer.ui.view.viewports import Viewports
from viewer.workspace import transitions

DOUBLE_CLICK = 0.4  # s between two presses
STILL = 4.0  # pixels at scale 1 that the mouse may move between the presses
PANNING = mouse.RIGHT | mouse.MIDDLE
PATIENCE = 10  # the most frames that typed input waits for a text field
HOLDING = {  # keys that change what the pointer takes hold of
    key.LALT: key.MOD_ALT, key.RALT: key.MOD_ALT, key.LOPTION: key.MOD_OPTION, key.ROPTION: key.MOD_OPTION,
    key.LCTRL: key.MOD_CTRL, key.RCTRL: key.MOD_CTRL, key.LCOMMAND: key.MOD_COMMAND, key.RCOMMAND: key.MOD_COMMAND,
}  # fmt: skip


class Controller:
    """The window's handler of mouse and keyboard; drives the app's session and its interface."""

    def __init__(self, ui: Ui, clock: Callable[[], float] = time.perf_counter) -> None:
        self._workspace = ui.workspace
        self._ui = ui
        self._clock = clock
        self._input = ImguiInput()
        self._scene_buttons = 0  # buttons that were pressed over the scene
        self._interface_buttons = 0
        self._over_interface = False
        self._mouse = 0.0, 0.0  # the mouse's position at its last event
        self._seen_in: Viewports | None = None  # the division of the window at that event
        self._part = 0  # the part of the window in which the buttons that are down were pressed
        self._about = transitions.MIDDLE_OF_SCENE  # the point about which a drag turns the view
        self._last_press = (-1.0, 0.0, 0.0)  # time, x, y of the last press of the left button over the scene
        self._dragged = True  # whether the mouse moved since the left button was last pressed over the scene
        self._text_is_key = False  # whether the next text belongs to a key that has started an action
        self._pressed = False  # whether a key has just gone down
        self._typed: deque[tuple[Callable[[], object], bool]] = deque()  # events that wait for a text field
        self._waited = 0  # frames since the last of them was handed on
        self._clicks = False  # whether ImGui has yet to take a press that it was given
        self._handles = Grab(ui.workspace, ui.layout, ui.scene_view, clock)

    @property
    def keys_held(self) -> bool:
        """Whether typed input waits for a text field, or a key is held that repeats in one."""
        return bool(self._typed) or (self._ui.overlays.takes_keys and bool(self._input.held))

    def follow(self) -> None:
        """Once a frame, find what has come under the pointer, and hand on the typed input that is due."""
        resting = self._ui.pointer is not None and not (self._scene_buttons or self._interface_buttons)
        if resting and self._ui.layout.viewports != self._seen_in:
            self.on_mouse_motion(*self._mouse, 0.0, 0.0)
        self._handles.follow()
        self._clicks = self._clicks and self._ui.has_input
        self._waited += 1
        self._deliver()

    def _inward(self, x: float, y: float) -> tuple[float, float]:
        """Note where the mouse is, and return its position in ui pixels.

        They are those of the window's part in which a drag began, or without a drag, of the part that the mouse is in.
        """
        self._mouse, self._seen_in = (x, y), self._ui.layout.viewports
        viewports, (x, y) = self._seen_in, self._ui.window.pixel(x, y)
        if not (self._scene_buttons or self._interface_buttons):
            self._part = viewports.find(x, y)
        at = viewports.inward(self._part, x, y)
        self._ui.pointed(at)
        return at

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        """Handle a move of the mouse with no button down."""
        x, y = self._inward(x, y)
        covered = self._ui.covers(x, y)
        if covered or self._over_interface:
            self._input.move(x, y)
            self._ui.touched(resting=covered)
        self._over_interface = covered
        if covered:
            self._handles.leave()
            self._ui.names.leave()
        else:
            self._handles.point_at(x, y, self._part)
            self._ui.names.point_at(x, y, self._part)

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> None:
        """Handle a move of the mouse by (dx right, dy up) with buttons down."""
        x, y = self._inward(x, y)
        (across, down), ratio = self._ui.layout.viewports.stretch, self._ui.window.ratio
        dx, dy = dx * across * ratio, dy * down * ratio
        if self._interface_buttons:
            self._input.modifiers(modifiers)
            self._input.move(x, y)
            self._ui.touched()
        elif self._handles.dragging:
            self._handles.drag(x, y, modifiers)
        elif self._scene_buttons:
            self._dragged = self._dragged or not self._near_press(x, y)
            self._ui.first_hint.dragged()
            self._workspace.animator.stop()
            scenario, height = self._workspace.session.scenario, self._ui.layout.areas.scene.height
            if self._scene_buttons & PANNING or modifiers & key.MOD_SHIFT:
                changes = transitions.pan(scenario.view, dx, dy, height)
            else:
                changes = transitions.orbit(scenario.view, dx, dy, height, self._about)
            self._workspace.editor.change(changes)

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Handle a press of a button; until its release the gesture belongs to whatever is under the pointer now."""
        x, y = self._inward(x, y)
        self._ui.names.leave()
        if self._workspace.lecture.light():
            self._ui.touched()
            return
        if self._ui.covers(x, y):
            self._interface_buttons |= button
            self._input.modifiers(modifiers)
            self._input.move(x, y)
            self._input.button(button, True)
            self._clicks = True
            self._ui.touched()
            return
        if self._ui.controls.typing:  # a press beside a text field ends the typing
            self._input.move(x, y)
            self._input.button(button, True)
            self._input.button(button, False)
            self._ui.touched()
        self._ui.controls.focus.leave()
        if self._workspace.state.chart:  # which has no view to turn
            return
        self._scene_buttons |= button
        self._about = self._ui.scene_view.turning_point(x, y, self._part)
        self._ui.touched()
        shift = modifiers & key.MOD_SHIFT
        if button == mouse.LEFT and not self._handles.grasp(x, y, self._part, modifiers) and not shift:
            self._pressed_over_scene(x, y)

    def _pressed_over_scene(self, x: float, y: float) -> None:
        """Handle the left button over the scene: a double click leads back to the view at the opening of the scene."""
        now, then = self._clock(), self._last_press[0]
        self._dragged = False
        if now - then <= DOUBLE_CLICK and self._near_press(x, y):
            self._workspace.animator.go_home(self._workspace.session.scenario.view)
            now = -1.0
        self._last_press = (now, x, y)

    def _clicked(self, x: float, y: float) -> None:
        """Handle a click in the scene: select another body, or a part of the body that is selected."""
        spot = self._ui.names.spot_at(x, y, self._part)
        body = self._ui.scene_view.body_at(x, y, spot)
        if body not in (None, self._workspace.session.scene.selected):
            self._workspace.session.select(body)
            return
        self._workspace.state.part = None if spot is None else part_in(spot.name)
        self._ui.touched()

    def _near_press(self, x: float, y: float) -> bool:
        """Return whether the mouse is still where the left button was last pressed over the scene."""
        still, (_, old_x, old_y) = STILL * self._ui.layout.scale, self._last_press
        return abs(x - old_x) <= still and abs(y - old_y) <= still

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Handle the release of a button."""
        dragged_to = self._inward(x, y)
        if self._interface_buttons & button:
            self._interface_buttons &= ~button
            self._input.move(*dragged_to)
            self._input.button(button, False)
            self._ui.touched(resting=True)
        if self._scene_buttons & button & mouse.LEFT and not self._dragged:
            self._clicked(*dragged_to)
        self._scene_buttons &= ~button
        if button == mouse.LEFT:
            self._handles.release()
        x, y = self._inward(x, y)
        self._over_interface = self._ui.covers(x, y)
        if not (self._over_interface or self._scene_buttons or self._interface_buttons):
            self._ui.names.point_at(x, y, self._part)

    def on_mouse_scroll(self, x: float, y: float, across: float, away: float) -> None:
        """Handle a turn of the wheel."""
        x, y = self._inward(x, y)
        if self._ui.covers(x, y):
            self._input.move(x, y)
            self._input.wheel(across, away)
            self._ui.touched()
        elif self._handles.dragging:
            self._handles.deepen(away)
        elif not self._workspace.state.chart:
            self._workspace.animator.stop()
            view, places = self._workspace.session.scenario.view, self._ui.scene_view.places(x, y)
            self._workspace.editor.change(self._workspace.animator.zoom(view, away, places))

    def on_mouse_leave(self, x: float, y: float) -> None:
        """Handle the mouse's leaving the window."""
        if not (self._interface_buttons or self._scene_buttons):
            self._ui.pointed(None)
            self._handles.leave()
            self._ui.names.leave()
        if not self._interface_buttons:
            self._input.leave()
            self._over_interface = False
            self._ui.touched()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Handle the press of a key; pyglet's own handler, which closes the window on Escape, does not get it."""
        is_letter = len(key_name(symbol, modifiers)) == 1
        self._type(partial(self._key_pressed, symbol, modifiers), follows=not is_letter)
        return True

    def _type(self, event: Callable[[], object], follows: bool = False) -> None:
        """Queue a keyboard event until the text field for which it is meant has the keyboard focus.

        If it `follows`, it also waits until the field has taken the text that was typed before.
        """
        self._typed.append((event, follows))
        self._deliver()

    def _deliver(self) -> None:
        """Hand on the queued events that need not wait any longer."""
        overlays, ui = self._ui.overlays, self._ui
        while self._typed:
            event, follows = self._typed[0]
            behind = ui.has_input and (self._clicks or (follows and overlays.takes_keys))
            if (behind or overlays.awaits_keyboard) and self._waited < PATIENCE:
                ui.touched()
                return
            self._typed.popleft()
            self._waited = 0
            event()

    def _key_pressed(self, symbol: int, modifiers: int) -> None:
        self._text_is_key = False
        self._pressed = True
        name = key_name(symbol, modifiers)
        self._input.modifier(symbol, True)
        self._hold_modifiers(symbol, modifiers, True)
        if symbol == key.ESCAPE and self._handles.dragging:
            self._handles.cancel()
            self._scene_buttons = 0  # until the next press
            return
        if self._ui.take_key(name):
            self._ui.touched()
            return
        if self._ui.overlays.takes_keys:
            self._input.modifiers(modifiers)
            self._input.key(symbol, True)
            self._ui.touched()
            return
        if len(name) > 1 or name.isalpha():
            self._start(ACTION_OF.get(name))

    def on_text_motion(self, motion: int, modifiers: int = 0) -> None:
        """Handle a key that moves a cursor: once when it is pressed, and again while it is held."""
        self._type(partial(self._cursor_moved, motion, modifiers), follows=True)

    def _cursor_moved(self, motion: int, modifiers: int) -> None:
        if self._pressed:
            self._pressed = False
        elif self._ui.take_key(key_name(motion, modifiers)):
            self._ui.touched()

    def on_text_motion_select(self, motion: int) -> None:
        """Handle a key that moves a cursor, pressed or held with Shift."""
        self.on_text_motion(motion, key.MOD_SHIFT)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Handle the release of a key."""
        self._type(partial(self._key_released, symbol, modifiers))

    def _key_released(self, symbol: int, modifiers: int) -> None:
        if symbol in self._input.held:
            self._input.key(symbol, False)
            self._ui.touched()
        self._input.modifiers(modifiers)
        self._input.modifier(symbol, False)
        self._hold_modifiers(symbol, modifiers, False)

    def _hold_modifiers(self, symbol: int, modifiers: int, down: bool) -> None:
        """Note whether a key such as Alt or Ctrl is held, which decides what the pointer takes hold of."""
        bit = HOLDING.get(symbol, 0)
        self._handles.modifiers(modifiers | bit if down else modifiers & ~bit)

    def on_text(self, typed: str) -> None:
        """Handle text from the keyboard: it is for a text field, or a character such as "+" or "?" starts an action.

        A digit opens a scene only with the pointer over the scene, and not in a tour: elsewhere it may be meant for a
        number or an answer.
        """
        self._type(partial(self._text_typed, typed))

    def _text_typed(self, typed: str) -> None:
        if self._text_is_key:
            return
        if self._ui.overlays.take_text(typed):
            self._ui.touched()
        elif self._ui.overlays.takes_keys:
            self._input.text(typed)
            self._ui.touched()
        elif typed.isdigit() and not self._over_scene:
            self._workspace.messages.notice(
                tr("Digits open scenes only with the pointer over the scene, and not in a tour")
            )
            self._ui.touched()
        elif not typed.isalpha() and not typed.isspace():
            self._start(ACTION_OF.get(typed))

    @property
    def _over_scene(self) -> bool:
        """Whether digits open scenes: there is no tour, and no element of the ui is under the pointer."""
        at = self._ui.pointer
        return self._workspace.tour.step is None and (at is None or not self._ui.covers(*at))

    def _start(self, action: Action | None) -> None:
        if action is not None:
            self._text_is_key = True
            self._ui.touched()
            self._ui.first_hint.started(action.name)
            self._workspace.messages.attempt(lambda: action.run(self._workspace))

    def on_activate(self) -> None:
        """Handle the window's getting the keyboard."""
        self._input.focus(True)
        self._ui.touched()

    def on_deactivate(self) -> None:
        """Handle the window's losing the keyboard, and the mouse."""
        self._input.focus(False)
        self._scene_buttons = 0
        self._handles.modifiers(0)
        self._handles.release()
        self._ui.touched()
