"""The panel's head: which scene it is, with the presets to choose from, and of several bodies which one is meant."""

from collections.abc import Callable
from pathlib import Path

from viewer.common.language import tr
from viewer.scenario.presets import GROUPS, PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.words.formatting import named, printable
from viewer.scene.words.sources import summary, title
from viewer.session.session import Session
from viewer.ui.host import Documents
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons
from viewer.ui.widgets.drawing import Look, combo, icon_button, tooltip
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.workspace.state import UiState


def title_of(scenario: Scenario, state: UiState) -> str:
    """Return the title of the scene as it is shown: not of one that a tour asks about, for it may be the answer."""
    return tr("Question") if state.question else title(scenario)


class SceneTitle:
    """Draws the head and gives what the user does there to the session."""

    def __init__(
        self,
        session: Session,
        state: UiState,
        documents: Documents,
        focus: KeyboardFocus,
        open_gallery: Callable[[], None],
        fold: Callable[[], None],
    ) -> None:
        """`fold`: folds the panel."""
        self._session, self._state, self._documents, self._focus = session, state, documents, focus
        self._open_gallery, self._fold = open_gallery, fold
        self._recent: list[str] = []  # the files in the list of scenes, since it opened

    def draw(self, look: Look) -> None:
        """Which scene it is, with the presets to choose from, and a button for the keys."""
        size, gap, scenario = imgui.get_frame_height(), look.px(4), self._session.scenario
        width = imgui.get_content_region_avail().x - 2 * (size + gap)
        focus, shown = self._focus, title_of(scenario, self._state)
        with combo(look, "##scene", shown, width, look.fonts.medium) as opened:
            if opened:
                self._scenes(look)
        if not opened:
            focus.button(look, "##scene")
            told = "" if self._state.question else summary(self._session)
            tooltip(look, *filter(None, (shown, told)))
        imgui.same_line(0, gap)
        if imgui.button("?", (size, size)):
            self._state.toggle("keys")
        tooltip(look, tr("Keys (?)"))
        focus.button(look, "?")
        imgui.same_line(0, gap)
        if icon_button(look, "fold", icons.fold, size, size):
            self._fold()
        tooltip(look, tr("Fold the panel (P)"))
        focus.button(look, "fold")

    def bodies(self, look: Look) -> None:
        """Of several bodies the one whose numbers are here, with the others to choose from."""
        session, scenario = self._session, self._session.scenario
        if not scenario.bodies:
            return
        names = [scenario.body_name(number) for number in range(len(scenario.bodies))]
        selected, width = session.scene.selected, imgui.get_content_region_avail().x
        shown = tr("Body {number} of {count}: {name}").format(
            number=selected + 1, count=len(names), name=names[selected]
        )
        with combo(look, "##selected", shown, width) as opened:
            if opened:
                for number, name in enumerate(names):
                    if imgui.selectable(f"{printable(name)}##body {number}", number == selected)[0]:
                        session.select(number)
        if not opened:
            self._focus.button(look, "##selected")
            tooltip(look, tr("The body whose numbers these are: body and start are its own, all else is common to all"))

    def _scenes(self, look: Look) -> None:
        """The list of the presets and of the files opened last."""
        if imgui.selectable(named("All scenes and tours… (A)"), False)[0]:
            self._open_gallery()
        imgui.separator()
        group = ""
        for name, preset in PRESETS.items():
            if preset.group != group:
                group = preset.group
                imgui.separator_text(tr(GROUPS[group]))
            if imgui.selectable(named(preset.title, f"##{name}"), preset.title == self._session.scenario.title)[0]:
                self._documents.open(name)
            tooltip(look, tr(preset.summary))
        imgui.separator()
        if imgui.is_window_appearing():
            self._recent = self._documents.recent
        for path in self._recent:
            if imgui.selectable(f"{printable(Path(path).name)}##{printable(path)}", False)[0]:
                self._documents.open(path)
            tooltip(look, printable(path))
