"""The plots above the timeline: quantities of the motion over a common time axis."""

from dataclasses import replace
from functools import partial
from math import isnan

from viewer.common.errors import FAILED, ErrorBoundary
from viewer.common.language import marked, tr
from viewer.common.quantities import PER_LARGEST
from viewer.physics.integrators import INTEGRATORS
from viewer.race.live import LiveRace
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.scene.words.formatting import named
from viewer.session.plot_data import NAMES, SHOWN_IN_HAND, HeldData, PlotData
from viewer.session.quantities import PANES, QUANTITIES, Pane, Quantity
from viewer.session.snapshot import Snapshot
from viewer.ui.layout import Rect
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots import chart
from viewer.ui.plots import race as race_plots
from viewer.ui.plots.chart import DIGITS, ERROR_DIGITS, Hover, Table, TimeLink, Value, legend_shows
from viewer.ui.plots.curves import (
    FLOOR,
    LARGEST_GAP,
    Curves,
    CurveTable,
    Line,
    color_of,
    curves_of,
    limits_of,
    motion_table,
    nearest,
)
from viewer.ui.plots.head import LINE, Button, Head
from viewer.ui.plots.potential import Potential
from viewer.ui.plots.race import RACE_PANES, race_table
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, shortened, text, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.windows import Splitter
from viewer.workspace.workspace import Workspace

FEWEST = 100  # points of a curve, or pairs of least and largest values, in the smallest plot
SPARE = 0.05  # fraction of the span by which the curves reach beyond both edges
EVERY = 10**9  # more points than there can be, to get all of them
SPAN = 20.0  # s that are shown at first
EVERYDAY = 0.01, 100.0  # speeds of playback between which SPAN seconds are shown at first
ZOOMED = 20.0  # the factor by which a span may differ from the usual one and still be kept for the next motion
AHEAD = 0.02  # fraction of the span that is kept free at the right while the plots follow
GAP = 6.0  # between plots, at scale 1
TITLED = 75.0  # least height of plots with titles, at scale 1
NARROWEST = 190.0  # of a plot at scale 1
FIRST_SHOWN = ("velocity", "errors")  # for an integrator that changes E or |L|, the energy instead of the velocity


class Plots(Overlay):
    """The strip of plots: those that are shown, over a span of time."""

    def __init__(self, workspace: Workspace, controls: FieldWidgets, boundary: ErrorBoundary) -> None:
        """`boundary` lets a plot fail without the others."""
        self._workspace, self._session, self._state = workspace, workspace.session, workspace.state
        self._boundary = boundary
        self._motion_data: PlotData | None = None
        self._edge = Splitter(workspace.settings, "plots.height", upper=True)
        first = (*FIRST_SHOWN, *race_plots.FIRST_SHOWN)
        self.shown = {name: name in first for name in (*PANES, *RACE_PANES)}
        self._errs = False  # whether the plots shown at first are those for an integrator that errs
        self.follow = True
        self.logarithmic = True
        self.begin, self.end = -SPAN, 0.0  # the times at both edges [s]
        self.picture_wanted = False  # whether to save a picture once the frame is complete
        self.behind = False  # whether there are more new samples than one frame takes in
        self.curves: dict[str, Curves] = {}  # of each plot
        self._fresh = False  # whether they are those of the layout before
        self._lines: dict[str, list[Line]] = {}
        self._chosen: list[str] = []  # plots in the order in which they were last chosen: the latest have precedence
        self._potential = Potential(workspace)
        self._head = Head(workspace.state, controls.focus)
        self.hover = Hover(self._seek, lambda: self._now)
        self._rooms: dict[str, race_plots.Size] = {}  # the sizes of a race's paths as drawn last
        self._gray = False  # whether curves have no colours, but numbers
        self._show_first()

    def wait(self) -> float | None:
        """Return 0 if another frame is due at once, else None."""
        return 0.0 if self.behind else None

    def take_key(self, key: str) -> bool:
        """Cancel a drag in the potential's plot on Escape."""
        return key == "Escape" and self._potential.cancel()

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the plots, if they have a place."""
        self._gray = canvas.gray
        if canvas.areas.plots is not None:
            self._draw(canvas.look, canvas.areas.plots)
        else:
            self.behind = False

    def _draw(self, look: Look, rect: Rect) -> None:
        """Draw the whole strip."""
        self._show_first()
        with windows.docked(look, "Plots", rect, (10, 4)):
            self._edge.draw(look, rect)
            fitting = self._fitting(look, rect)
            self._head.draw(look, rect, self._buttons(fitting))
            weights = {name: self.panes[name].width for name in fitting}
            each = 0.5 * rect.width / max(sum(weights.values()), 1.0)
            most = {name: max(FEWEST, int(each * weight)) for name, weight in weights.items()}
            self._boundary.attempt("curves", lambda: self._read(most))
            self.hover.silent = self._state.lecture
            self.hover.begin()
            self._panes(look, rect, [self.panes[name] for name in fitting])
        self.hover.draw(look)

    @property
    def panes(self) -> dict[str, Pane]:
        """The plots that there are: those of a phone in the hand, of a race, or of the motion."""
        if self._held is not None:
            return {name: PANES[name] for name in SHOWN_IN_HAND}
        if self.race is not None:
            document = self._session.document
            recorded, relative = document.recordings is not None, document.ratios is not None
            return {
                name: replace(pane, unit=PER_LARGEST.get(pane.unit, pane.unit)) if relative else pane
                for name, pane in RACE_PANES.items()
                if (recorded or not pane.recorded) and pane.free in (None, self.race.course.kept is None)
            }
        moves, turns = self._session.scenario.moves, self._session.scenario.loads_value().changes_momentum
        of_top = self._session.snapshot().top is not None and not self._state.quiz_open
        return {
            name: pane
            for name, pane in PANES.items()
            if (moves or not pane.moving) and (turns or not pane.turned) and (of_top or not pane.top)
        }

    @property
    def race(self) -> LiveRace | None:
        """The race beside the motion, if there is one."""
        return self._session.scene.race

    @property
    def _held(self) -> HeldData | None:
        """What a phone in the hand has measured, while one is followed."""
        return self._workspace.held if self._session.document.held else None

    @property
    def _data(self) -> PlotData | HeldData | None:
        """The data of the plots, except for a race."""
        return self._held or self._motion_data

    @property
    def _now(self) -> float:
        """The time [s] in the picture."""
        return self._session.snapshot().reading.time if self._held is None else self._held.now

    @property
    def _span(self) -> tuple[float, float]:
        """The first and the last time [s] that is recorded."""
        if self._held is None:
            return self._session.motion.span
        return float(self._held.time[0]), float(self._held.time[-1])

    def _read(self, most: dict[str, int]) -> None:
        """Take in the new samples, move the time axis along, and prepare each plot's curves.

        While the motion runs, the curves are prepared in every second layout: in between they gain about a pixel.
        `most` is the largest number of points, or of pairs of points, for each plot. A race's curves are not prepared
        here, as its lanes have samples of their own.
        """
        session, known = self._session, self._data
        if isinstance(known, HeldData):
            if self._motion_data is not None:  # it is of the scene before
                self._motion_data, self.follow = None, True
                self.begin, self.end = -SPAN, 0.0
        elif known is None or known.checkpoints is not session.motion.checkpoints:
            known, self.curves = PlotData(session.motion.checkpoints), {}
            self._motion_data = known
            self._set_span(session.scene.speed)
        span = self.end - self.begin
        if self.follow:
            self.end = self._following_end
            self.begin = self.end - span
        self._fresh = not self._fresh and session.scene.moving and not self.behind and self.curves.keys() == most.keys()
        if self.race is not None:
            self.behind = False
        elif not self._fresh:
            self.behind = isinstance(known, PlotData) and not known.follow()
            begin, end = self.begin - SPARE * span, self.end + SPARE * span
            self.curves = {name: known.between(begin, end, count) for name, count in most.items()}
            self._lines = {
                name: curves_of(PANES[name], curves, PANES[name].error and self.logarithmic)
                for name, curves in self.curves.items()
            }

    def _set_span(self, speed: float) -> None:
        """Set the time axis for another motion: to the whole loop if there is one, else to a span of time.

        The usual span is SPAN at everyday speeds, else SPAN times the speed. A present span within a factor ZOOMED of
        it is kept.
        """
        loop = self._session.playback.loop
        self.follow = loop is None
        if loop is not None:
            margin = AHEAD * (loop[1] - loop[0])
            self.begin, self.end = loop[0] - margin, loop[1] + margin
            return
        usual = SPAN if EVERYDAY[0] <= speed <= EVERYDAY[1] else SPAN * speed
        if not 1.0 / ZOOMED <= (self.end - self.begin) / usual <= ZOOMED:
            self.begin = self.end - usual

    @property
    def _following_end(self) -> float:
        """The right edge [s] of the time axis while it follows the current time."""
        span, margin = self.end - self.begin, AHEAD * (self.end - self.begin)
        return max(self._now, self._span[0] + span - 2 * margin) + margin

    def _seek(self, time: float) -> None:
        """Go to the recorded state nearest to `time` [s]; the time axis does not move."""
        if self._held is None:  # else there is nothing to go back to
            self._session.playback.seek(time)
            self.follow = self.follow and self._following_end == self.end

    def _buttons(self, fitting: list[str]) -> list[Button]:
        """Return a button for each plot, and the buttons that concern all plots."""
        tabs = [
            Button(pane.label, name in fitting, self._meaning(pane), partial(self._choose, name, name not in fitting),
                   "##pane")
            for name, pane in self.panes.items()
        ]  # fmt: skip
        return [
            *tabs,
            Button(marked("Follow"), self.follow, [tr("The right edge follows the current time")],
                   partial(setattr, self, "follow", not self.follow)),
            Button(marked("All"), False, [tr("Show the whole recording")], self.show_all),
            Button(marked("Log"), self.logarithmic,
                   [tr("Absolute errors on a logarithmic scale; 0 is drawn at 10⁻¹⁷")],
                   partial(setattr, self, "logarithmic", not self.logarithmic)),
            Button("CSV", False, [tr("Save the curves shown as a table")], self._save_table),
            Button("PNG", False, [tr("Save a picture of the plots")], partial(setattr, self, "picture_wanted", True)),
        ]  # fmt: skip

    def _meaning(self, pane: Pane) -> list[str]:
        """Return the lines that explain a plot: for a race what it shows, for a motion what each of its curves is."""
        if pane.meaning:
            return [tr(pane.meaning)]
        return [
            tr("Show or hide this plot"),
            *(f"{tr(one.label)}: {tr(one.meaning)}" for one in self._quantities(pane)),
        ]

    def _quantities(self, pane: Pane) -> list[Quantity]:
        """Return the quantities that a plot of the motion shows, each of which may have a curve in several pieces."""
        return list(dict.fromkeys(quantity for quantity, _, _ in self._lines.get(pane.name, ())))

    def _label(self, pane: Pane, quantity: Quantity) -> str:
        """Return the text of a curve in the legend, which begins with its number if the curves have no colours."""
        number = f"{self._quantities(pane).index(quantity) + 1} " if self._gray else ""
        return number + named(quantity.label)

    def _show_first(self) -> None:
        """Until a plot has been chosen, show the energy if the scene's integrator errs, else the velocity."""
        errs = not INTEGRATORS[self._session.scenario.solver.integrator].keeps_invariants
        if errs != self._errs and not self._chosen:
            self._errs = errs
            self.shown |= {"energy": errs, "velocity": not errs}
        if self.race is not None and not self._chosen:
            self.shown["race_energy"] = self.race.course.kept is not None

    def _choose(self, name: str, shown: bool) -> None:
        """Show or hide a plot."""
        self.shown[name] = shown
        self._chosen = [*(other for other in self._chosen if other != name), name]

    def table(self) -> CurveTable:
        """Return the heading and the rows of a table of the curves shown, between the edges of the time axis."""
        if self.race is not None:
            return race_table(self.race, self._session.scenario.race.hidden, self.begin, self.end)
        panes = {name for name in self.panes if self.shown[name]}
        curves = self._data.between(self.begin, self.end, EVERY) if self._data else []
        return motion_table(curves, panes, self.begin, self.end)

    def _save_table(self) -> None:
        self._workspace.writer.save_plots_table(*self.table())

    def show_all(self) -> None:
        """Show all recorded times."""
        first, last = self._span
        span = max(last - first, 1e-3)
        self.begin, self.end, self.follow = first - AHEAD * span, last + AHEAD * span, False

    def _fitting(self, look: Look, rect: Rect) -> list[str]:
        """Return the wanted plots for which there is room; those chosen last have precedence, then the first ones."""
        gap = look.px(GAP)
        most = max(1, int((rect.width - 2 * gap + gap) // (look.px(NARROWEST) + gap)))
        wanted = [name for name in self.panes if self.shown[name]]
        recent = [name for name in reversed(self._chosen) if name in wanted]
        kept = [*recent, *(name for name in wanted if name not in recent)][:most]
        return [name for name in wanted if name in kept]

    def _panes(self, look: Look, rect: Rect, panes: list[Pane]) -> None:
        """Draw the plots side by side, as wide as their weights say."""
        top = rect.y + look.px(LINE * self._head.lines + 2)
        height = rect.y + rect.height - top - look.px(3)
        titled = height >= look.px(TITLED)
        if titled:
            line = imgui.get_text_line_height()
            top, height = top + line, height - line
        if height < look.px(40):
            return
        if not panes:
            text(rect.x + look.px(12), top + look.px(6), look.palette.dim, tr("Choose what to plot above."))
            return
        snapshot, gap = self._session.snapshot(), look.px(GAP)
        begin, end = implot.BoxedValue(self.begin), implot.BoxedValue(self.end)
        unit = (rect.width - gap * (len(panes) + 1)) / sum(pane.width for pane in panes)
        left = rect.x + gap
        with chart.applied(look):
            for pane in panes:
                width = unit * pane.width
                imgui.set_cursor_screen_pos((left, top))
                span = (left, left + width) if titled else None
                draw = partial(self._pane, look, snapshot, pane, (width, height), (begin, end), span)
                if not self._boundary.attempt(f"plot {pane.name}", draw):
                    failed = shortened(tr(FAILED), width - look.px(100))
                    x = left + (width - width_of(failed)) / 2
                    text(x, top + height / 2 - look.px(16), look.palette.dim, failed)
                left += width + gap
        self._moved(begin.value, end.value)

    def _pane(
        self, look: Look, snapshot: Snapshot, pane: Pane, size: race_plots.Size, link: TimeLink,
        span: chart.Span,
    ) -> None:  # fmt: skip
        """Draw one plot; `link` has the ends of the time axis, `span` is the left and right end of its title."""
        if self.race is not None:
            found = self._session.document.recording
            race_plots.draw(
                look, self.race, self._session.scenario, pane, size, span, link, self._rooms, self.hover,
                None if found is None else found.drag,
            )  # fmt: skip
            return
        theme, moments, log = (
            theme_of(self._session.scenario),
            snapshot.body.principal_moments,
            pane.error and self.logarithmic,
        )
        entries = {named(quantity.label): tr(quantity.meaning) for quantity in self._quantities(pane)}
        with scopes.plot(pane.name, size, chart.PLOT) as seen:
            if not seen:
                return
            if pane.top and snapshot.top is not None:
                self._potential.draw(look, theme, snapshot, snapshot.top, size)
                chart.title(look, pane, span)
                return
            curves, above = self._lines.get(pane.name, []), self._set_up_legend(look, pane, size)
            drawn = [
                chart.Curve(self._label(pane, quantity), color_of(theme, quantity, moments), times, values)
                for quantity, times, values in curves
            ]
            limits = limits_of(curves, log, above)
            chart.draw_over_time(look, link, size, drawn, limits, pane.unit, log, self._now)
            if self._gray:
                last = {curve.label: curve for curve in drawn if chart.legend_shows(curve.label)}
                ends = [(int(label.partition(" ")[0]), one.color, one.times, one.values) for label, one in last.items()]
                chart.numbers_at_ends(look, ends, above)
            self.hover.over(look, pane.name, lambda time: self._table(snapshot, pane, time), entries)
            has_phase = QUANTITIES["phase_error"].pane == pane.name
            chart.title(look, pane, span, self._data.why_no_phase if has_phase and self._data else None)

    def _set_up_legend(self, look: Look, pane: Pane, size: race_plots.Size) -> float:
        """Place a plot's legend in a line above the curves, or beside them if the line has no room.

        Return the fraction of the plot's height that the line takes, or 0.
        """
        line = imgui.get_text_line_height()
        wide = sum(
            line + look.px(2) + width_of(self._label(pane, quantity).partition("###")[0])
            for quantity in self._quantities(pane)
        )
        above = float((line + look.px(8)) / max(1.0, size[1] - look.px(22)))
        flags = implot.LegendFlags_
        if look.px(60 if pane.error else 40) + wide <= size[0] and above <= LARGEST_GAP:
            implot.setup_legend(implot.Location_.north_west.value, flags.horizontal.value)
            return above
        implot.setup_legend(implot.Location_.east.value, flags.outside.value)
        return 0.0

    def _table(self, snapshot: Snapshot, pane: Pane, time: float) -> Table | None:
        """Return the values of a plot's curves at the sample nearest to a time [s], or None if there is no sample."""
        found = nearest(self._data, time) if self._data is not None else None
        if found is None:
            return None
        (begin, *lows), (end, *highs) = found[0].tolist(), found[1].tolist()
        theme, values, single = theme_of(self._session.scenario), [], begin == end
        for quantity in self._quantities(pane):
            low, high = lows[NAMES.index(quantity.name)], highs[NAMES.index(quantity.name)]
            if isnan(low) or not legend_shows(named(quantity.label)):
                continue
            drawn = (max(abs(low), FLOOR) if pane.error and self.logarithmic else low) if single else None
            color = color_of(theme, quantity, snapshot.body.principal_moments)
            digits = ERROR_DIGITS if pane.error else DIGITS
            values.append(Value(tr(quantity.label), color, low, high, quantity.unit, drawn, digits))
        return Table(0.5 * (begin + end), values)

    def _moved(self, begin: float, end: float) -> None:
        """Take over the ends of a time axis that the user has moved or zoomed."""
        if (begin, end) == (self.begin, self.end) or not end > begin:
            return
        here, first = self._now, self._span[0]
        self.follow = self.follow and (begin <= first or abs(end - here) < 4 * AHEAD * (end - begin))
        self.begin, self.end = begin, end
