"""The elements of the ui that are shown, in the order in which they are drawn."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from viewer.common.language import tr
from viewer.scene.annotations.trails import corner
from viewer.scene.description import Frame
from viewer.ui.bars import chart_bar
from viewer.ui.host import Host
from viewer.ui.layout import Areas, Rect
from viewer.ui.lecture.layout import under_card
from viewer.ui.names import legend
from viewer.ui.names.card import to_spare
from viewer.ui.overlay import Canvas
from viewer.ui.overlays.messages import clear_of_corner, draw_recording_mark
from viewer.ui.panel.panel import draw_strip
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.selection import draw_selection
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.style import u32

if TYPE_CHECKING:
    from viewer.ui.ui import Ui


def in_draw_order(
    ui: "Ui", look: Look, size: tuple[int, int], areas: Areas
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Name and drawing of each element that is shown, from back to front."""
    app, state, scene = ui.app, ui.state, areas.scene
    if state.black:
        yield "black screen", lambda: _draw_black(size)
        return
    canvas = Canvas(look, size, areas, ui.pointer, ui.gray)
    panel, folded, plots, bar = areas.panel, areas.strip, areas.plots, areas.timeline
    cell = None if state.hidden or state.chart else app.scene_view.body_rect(app.workspace.session.scene.selected)
    if cell is not None:
        yield "selected body", lambda: draw_selection(look, cell)
    if app.workspace.writer.recording and not state.hidden:
        yield "recording mark", lambda: draw_recording_mark(look, scene, app.workspace.writer.seconds)
    if panel is not None:
        yield "panel", lambda: ui.panel.draw(look, panel)
    if folded is not None:
        yield "strip", lambda: draw_strip(look, folded, ui.keys.toggle, ui.layout.toggle_panel)
    if areas.board is not None:
        board, taken = areas.board, under_card(areas)
        yield "board", lambda: ui.board.draw(look, board, taken)
    if plots is not None:
        yield "plots", lambda: ui.plots.draw(look, plots)
    if bar is not None and state.chart:
        yield "chart bar", lambda: chart_bar.draw(look, bar, app.workspace.session, state, ui.controls)
    elif bar is not None:
        yield "timeline", lambda: ui.timeline.draw(look, bar)
    if areas.toolbar is not None:
        toolbar = areas.toolbar
        yield "toolbar", lambda: ui.toolbar.draw(look, toolbar)
    yield "stereo mode", lambda: ui.stereo_name.draw(look, scene)
    frame, ui.legend, ui.legend_entries = app.scene_view.frame, None, ()
    if frame is not None and legend.is_shown(app.workspace.settings, state) and not (state.hidden or state.chart):
        shown_frame = frame
        yield "legend", lambda: _draw_legend(ui, look, scene, shown_frame)
    for lists in (ui.keys, ui.words, ui.gallery, ui.palette):
        yield type(lists).__name__, partial(lists.draw, canvas)
    if not ui.keys.is_open and not ui.gallery.is_open:
        if not state.hidden:
            yield "tour", lambda: ui.tour_card.draw(look, areas, ui.workspace.tour)
        # in the scene's lower left corner the picture has something of its own
        document = app.workspace.session.document
        wide, tall = (
            (0.0, 0.0) if state.chart else corner(app.workspace.session.scenario, document.measured is not None)
        )
        scale = app.scene_view.marks_scale
        free = clear_of_corner(look, scene, (wide * scale, tall * scale))
        free = legend.leaves(ui.legend, free if state.hidden else ui.tour_card.leaves(look, free))
        touring = state.lecture or ui.workspace.tour.tour is not None
        yield "recovery", lambda: ui.recovery.draw(look, free, touring)
        explained = touring or state.hidden or state.chart
        yield "first start", lambda: ui.first_start.draw(look, scene, ui.recovery.box, explained)
        said, status = _session_message(app, panel is not None or state.lecture), app.workspace.session.status
        doubt = app.workspace.session.scene.message_is_doubt and said == app.workspace.session.scene.message
        documents = app.documents
        messages, writer = ui.workspace.messages, ui.workspace.writer
        messages.working, messages.cancel, messages.proposed = documents.opening, documents.end_opening, None
        if messages.working is None and writer.waiting is not None:
            messages.working, messages.cancel = writer.waiting, writer.toggle_film
        if messages.working is None and app.live is not None:
            messages.working, messages.cancel, messages.proposed = app.live.state, app.live.end, app.live.proposed
        message = messages.current(said, doubt, status.number if said == status.event else 0)
        yield (
            "messages",
            lambda: ui.message_card.draw(look, ui.recovery.leaves(free), message, state.hidden, state.lecture),
        )
        if not (explained or ui.overlays.modal or ui.recovery.box):
            yield "hint", lambda: ui.first_hint.draw(look, free, _top(ui.message_card.boxes, free))
    spot, pointer = state.named, ui.pointer
    if spot is not None and pointer is not None:
        shown = app.scene_view.snapshot_of(spot.layer)
        spared = [] if frame is None or spot.layer else to_spare(frame, scene, look.scale)
        spared += [] if ui.stereo_name.rect is None else [ui.stereo_name.rect]
        relative = app.workspace.session.document.ratios is not None
        yield "name", lambda: ui.name_card.draw(look, scene, pointer, shown, spot, spared, relative)
    yield "progress", lambda: ui.progress_card.draw(look, scene, state.hidden)
    for dialog in (ui.dialog, ui.mesh_dialog, ui.columns_dialog, ui.save_dialog):
        yield type(dialog).__name__, partial(dialog.draw, canvas)
    if not state.hidden:
        yield "pointer", lambda: ui.tour_card.draw_pointer(look, areas, ui.workspace.tour.step)
    if state.spot and ui.pointer is not None and not ui.overlays.modal:
        at = ui.pointer
        yield "spotlight", lambda: ui.spotlight.draw(look, scene, at, ui.gray)


def _draw_legend(ui: "Ui", look: Look, scene: Rect, frame: Frame) -> None:
    """The legend; where it has just been turned on and has no room, that is said."""
    app, asked = ui.app, ui.state.legend_asked
    ui.state.legend_asked = False
    ui.legend, ui.legend_entries = legend.draw(
        look,
        scene,
        frame,
        app.scene_view.snapshot_of(0),
        corner(app.workspace.session.scenario, app.workspace.session.document.measured is not None)[0],
    )
    if asked and ui.legend is None:
        ui.workspace.messages.notice(tr("The legend has no room in this picture"))


def _top(boxes: list[Rect], free: Rect) -> float:
    """The upper edge of messages, of a part of the scene without them its lower one."""
    return float(min((box.y for box in boxes), default=free.y + free.height))


def _draw_black(size: tuple[int, int]) -> None:
    """The black screen of a lecture."""
    imgui.get_foreground_draw_list().add_rect_filled((0.0, 0.0), size, u32((0.0, 0.0, 0.0)))


def _session_message(app: Host, panel_shown: bool) -> str | None:
    """The session's message, unless the panel shows it anyway; else why the stereo mode is not available."""
    message = app.workspace.session.scene.message
    in_panel = panel_shown and message == app.workspace.session.snapshot().body.warning
    unavailable = app.scene_view.unavailable
    return unavailable if in_panel or message is None else message
