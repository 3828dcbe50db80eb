// What lies around the figure: the bar with clock and tools, sliders, numbers, legend, names, tabs, the list of keys.

import { numberText, trimmed } from "./labels.js";
import { clockOf, nextSpeed, speedsAround } from "./transport.js";

const SLIDER = 1000; // the travel of a slider, as in page.html
/** What a key does, by its name as KeyboardEvent.key has it. */
export const KEYS = {
    " ": (page) => page.press(page.transport.backwards ? -1 : 1),
    b: (page) => page.press(page.transport.backwards ? 1 : -1),
    n: (page) => page.toFlip(1),
    r: (page) => page.seek(0),
    "+": (page) => page.setSpeed(nextSpeed(page.transport.speed, 1)),
    "=": (page) => page.setSpeed(nextSpeed(page.transport.speed, 1)),
    "-": (page) => page.setSpeed(nextSpeed(page.transport.speed, -1)),
    s: (page) => page.nextStereo(1),
    S: (page) => page.nextStereo(-1),
    d: (page) => page.toggleStereo(),
    x: (page) => page.swapEyes(),
    t: (page) => page.nextTheme(),
    Home: (page) => page.hand.goHome(),
    N: (page) => page.toggle("legend"),
    h: (page) => page.toggle("controls"),
    f: (page) => page.fullscreen(),
    "?": (page) => page.controls.keys.showModal(),
};

/** A new element with properties or attributes, and what is in it. */
function element(name, given = {}, ...inside) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(given)) {
        if (key in made) made[key] = value;
        else made.setAttribute(key, value);
    }
    made.append(...inside);
    return made;
}

/** A value [SI] as a text in a unit { unit, size }. */
function withUnit(value, { unit, size }) {
    return `${numberText(value / size, 3)}${unit === "°" ? "" : " "}${unit}`.trimEnd();
}

/** A colour [r, g, b], 0..1, as CSS has it. */
export function cssColor(color) {
    return `rgb(${color.map((part) => Math.round(255 * part)).join(" ")})`;
}

/** Move a slider to a share 0..1 of its travel, with the text that is read out. */
function slide(input, share, text) {
    input.value = SLIDER * share;
    input.style.setProperty("--at", share);
    input.setAttribute("aria-valuetext", text);
}

function assign(node, key, value) {
    if (node[key] !== value) node[key] = value;
}

/** What the buttons of the bar do, by their classes in page.html without "tool-". */
const TOOLS = {
    restart: (page) => page.seek(0),
    flipBefore: (page) => page.toFlip(-1),
    backwards: (page) => page.press(-1),
    play: (page) => page.press(1),
    flip: (page) => page.toFlip(1),
    lesson: (page) => page.toggle("lesson"),
    legend: (page) => page.toggle("legend"),
    theme: (page) => page.nextTheme(),
    home: (page) => page.hand.goHome(),
    keys: (page) => page.controls.keys.showModal(),
    headset: (page) => page.headset.press(),
    fullscreen: (page) => page.fullscreen(),
    reset: (page) => page.reset(),
};
const PARTS = ["scrub", "clock", "speed", "stereo", "lesson", "readouts", "legend", "card", "said", "keys"];

/** The controls of a page, the element `root`; `page` is the page's program, whose functions they call. */
export class Controls {
    constructor(root, page) {
        Object.assign(this, { page, words: page.words, buttons: {}, numbers: [] });
        for (const name of PARTS) this[name] = root.querySelector(`.${name}`);
        for (const [name, act] of Object.entries(TOOLS)) {
            this.buttons[name] = root.querySelector(`.tool-${name}`);
            this.buttons[name].addEventListener("click", () => act(page));
        }
        this.buttons.fullscreen.hidden = !document.fullscreenEnabled;
        this.modes = [...this.stereo.options].map(({ value }) => value);
        this.stereo.addEventListener("change", () => page.setStereo(this.stereo.value));
        this.speed.addEventListener("change", () =>
            page.setSpeed(this.speed.value === "auto" ? null : Number(this.speed.value)));
        this.scrub.addEventListener("input", () => {
            const { first, last } = page.transport;
            page.seek(first + (this.scrub.value / SLIDER) * (last - first));
        });
        for (const name of ["pointerdown", "pointerup", "pointercancel", "change"]) {
            this.scrub.addEventListener(name, () => {
                page.transport.held = name === "pointerdown"; // the clock waits while the track is dragged
                page.change();
            });
        }
    }

    /** Make a tab for each scene; the arrows go from one to the next. */
    tabs(root, scenes) {
        const { page } = this;
        this.tabsOf = scenes.map(({ title }, i) => {
            const given = { type: "button", role: "tab", id: `tab-${i}`, onclick: () => page.open(i) };
            return element("button", { ...given, "aria-controls": "stage" }, title);
        });
        root.append(...this.tabsOf);
        root.addEventListener("keydown", (event) => {
            const { number } = page;
            const next = { ArrowRight: number + 1, ArrowLeft: number - 1, Home: 0, End: -1 }[event.key];
            if (next === undefined) return;
            event.preventDefault();
            page.open((next + scenes.length) % scenes.length);
            this.tabsOf[page.number].focus();
        });
        page.stage.setAttribute("role", "tabpanel");
    }

    /** Show another scene: its tab, sliders and numbers. */
    open({ lesson, motion }, number) {
        this.tabsOf?.forEach((tab, i) => Object.assign(tab, { ariaSelected: i === number, tabIndex: i === number ? 0 : -1 }));
        if (this.tabsOf) this.page.stage.setAttribute("aria-labelledby", `tab-${number}`);
        const free = motion.kind === "free";
        const controls = lesson.controls.filter(({ path }) => free || path.startsWith("show."));
        this.lesson.replaceChildren(...controls.map((control) => this.control(control)), this.buttons.reset);
        this.buttons.lesson.hidden = controls.length === 0;
        this.buttons.flip.disabled = this.buttons.flipBefore.disabled = !free && motion.flips.length === 0;
        this.numbers = lesson.readouts.map((readout) => ({ ...readout, value: element("dd") }));
        this.readouts.replaceChildren(...this.numbers.map(({ label, value }) =>
            element("div", {}, element("dt", {}, label), value)));
    }

    /** A switch or a slider of a field of the scene. */
    control(control) {
        const { low, high, log, label, meaning } = control;
        const set = (value) => this.page.setValue(control, value);
        if (control.kind === "switch") {
            const change = (event) => set(event.target.checked);
            const box = element("input", { type: "checkbox", checked: control.value, onchange: change });
            return element("label", { title: meaning }, box, label);
        }
        const input = element("input", { type: "range", min: 0, max: SLIDER, step: "any" });
        const shown = element("span", { className: "value" });
        const decimals = Math.max(0, Math.ceil(-Math.log10((high - low) / SLIDER)));
        const show = (value) => {
            const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
            shown.textContent = withUnit(value, control);
            slide(input, share, shown.textContent);
        };
        input.addEventListener("input", () => {
            const share = input.value / SLIDER;
            const value = log ? (low * (high / low) ** share).toPrecision(3) : (low + share * (high - low)).toFixed(decimals);
            show(Number(value));
            set(Number(value));
        });
        show(control.value);
        return element("label", { title: meaning }, label, shown, input);
    }

    /** Bring everything up to date with the page's state; `reading` is the motion now. */
    update(reading) {
        const { page, words } = this;
        const { transport, view } = page;
        const { motion, playing, backwards } = transport;
        const { unit, text } = clockOf(transport.last - transport.first);
        const clock = `${text(transport.time)}${motion.until === null ? "" : ` / ${text(motion.until)}`} ${unit}`;
        assign(this.clock, "textContent", clock);
        slide(this.scrub, transport.share, clock);
        for (const [name, runs] of [["play", playing && !backwards], ["backwards", playing && backwards]]) {
            assign(this.buttons[name], "ariaPressed", String(runs));
        }
        for (const name of ["lesson", "legend"]) assign(this.buttons[name], "ariaPressed", String(page.shown[name]));
        assign(this.lesson, "hidden", !page.shown.lesson || this.buttons.lesson.hidden);
        assign(this.legend, "hidden", !page.shown.legend);
        assign(this.stereo, "value", view.stereo.mode);
        this.showSpeeds(transport);
        const values = {
            omega: Math.hypot(...reading.omegaBody),
            energy: reading.energy,
            momentum: Math.hypot(...reading.angularMomentumWorld),
            period: motion.period,
        };
        for (const number of this.numbers) {
            const value = values[number.name];
            assign(number.value, "textContent", value === null ? words.none : withUnit(value, number));
        }
    }

    showSpeeds({ speed, ownSpeed, automatic }) {
        const key = `${ownSpeed} ${automatic}`;
        if (key === this.speedsShown) return;
        this.speedsShown = key;
        const text = (value) => `${trimmed(numberText(value, 3))} ×`;
        const rounds = [...new Set([...speedsAround(automatic), speed])].sort((a, b) => a - b);
        const choices = rounds.map((value) => new Option(text(value), String(value)));
        this.speed.replaceChildren(new Option(`${this.words.auto} · ${text(automatic)}`, "auto"), ...choices);
        this.speed.value = String(ownSpeed ?? "auto");
    }

    /** List what is in the picture: `things` are { name, color, form }. */
    showLegend(things) {
        const entries = new Map();
        for (const { name, color, form } of things) {
            const words = this.thing(name);
            if (words?.inLegend) entries.set(words.name, { form, ink: cssColor(color) });
        }
        const key = JSON.stringify([...entries]);
        if (key === this.listed) return;
        this.listed = key;
        this.legend.replaceChildren(...[...entries].map(([name, { form, ink }]) => {
            const sign = element("i", { className: form });
            sign.style.setProperty("--ink", ink);
            return element("li", {}, sign, name);
        }));
    }

    /** The words of a thing by its name in the picture; of a body axis, those of its moment. */
    thing(name) {
        const axis = ["x′", "y′", "z′"].indexOf(name);
        const { moments } = this.page.transport.motion;
        if (axis >= 0 && new Set(moments).size === 3) {
            return this.words.axes[moments.filter((moment) => moment < moments[axis]).length];
        }
        return this.words.things[name.split(":")[0].replace(/[₁₂₃]$/, "")];
    }

    /** Say what a thing is, beside the point [x, y]; without a name the card goes. */
    showName(name, at) {
        const { card } = this;
        const words = name && this.thing(name);
        card.hidden = !words;
        if (!words) return;
        card.replaceChildren(element("b", {}, words.name), element("span", {}, words.sentence));
        const { clientWidth, clientHeight } = card.parentElement;
        const right = clientWidth - card.offsetWidth - 8;
        const below = at[1] < card.offsetHeight + 22;
        card.style.left = `${Math.max(8, Math.min(at[0] + 14, right))}px`;
        card.style.top = `${below ? Math.min(at[1] + 18, clientHeight - card.offsetHeight - 8) : at[1] - card.offsetHeight - 14}px`;
    }

    /** Say something to those who listen, and show it for a moment. */
    say(text) {
        this.said.replaceChildren(element("span", {}, text));
    }
}
