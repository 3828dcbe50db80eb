// What lies around the figure: the bar with clock and tools, sliders, numbers, legend, names, tabs, the list of keys.

import { numberText } from "./labels.js";
import { clockOf, nextSpeed, speedsAround } from "./transport.js";

const SLIDER = 1000; // the travel of a slider
const ICONS = { // strokes and, after "|", filled shapes, in a square of 24
    restart: "M6 5v14|M19 5v14l-10-7z",
    flipBefore: "M21 17a9 9 0 0 0-17.5-2M3 8v7h7|",
    backwards: "|M18 4v16L5 12z",
    play: "|M6 4v16l13-8z",
    pause: "|M6 4h4v16H6zM14 4h4v16h-4z",
    flip: "M3 17a9 9 0 0 1 17.5-2M21 8v7h-7|",
    theme: "M12 3a9 9 0 0 0 0 18a9 9 0 0 0 0-18z|M12 3a9 9 0 0 1 0 18z",
    legend: "M4 6h3M11 6h9M4 12h3M11 12h9M4 18h3M11 18h9|",
    home: "M4 11l8-7 8 7M6 10v10h12V10|",
    lesson: "M3 8h8M17 8h4M3 16h3M12 16h9|M14 5a3 3 0 0 1 0 6a3 3 0 0 1 0-6zM9 13a3 3 0 0 1 0 6a3 3 0 0 1 0-6z",
    headset: "M3 8h18v9h-6l-2-3h-2l-2 3H3zM7 12h2M15 12h2|",
    fullscreen: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5|",
    reset: "M4 4v6h6M4.5 10a8 8 0 1 1-.5 4|",
};

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

function icon(name) {
    const shapes = ICONS[name].split("|").map((shape, i) => `<path class="${i ? "filled" : "drawn"}" d="${shape}"/>`);
    const made = element("span", { "aria-hidden": true });
    made.innerHTML = `<svg viewBox="0 0 24 24">${shapes.join("")}</svg>`;
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

function slider(given) {
    return element("input", { type: "range", min: 0, max: SLIDER, step: "any", ...given });
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

/** The controls of a page; `page` is the page's program, whose functions they call. */
export class Controls {
    constructor(root, page) {
        const { words, modes } = page;
        Object.assign(this, { page, words, buttons: {}, numbers: [] });
        this.scrub = slider({ className: "scrub", "aria-label": words.time });
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
        this.speed = this.select("speed", (value) => page.setSpeed(value === "auto" ? null : Number(value)));
        this.stereo = this.select("stereo", (value) => page.setStereo(value));
        this.stereo.append(...modes.map((mode) => new Option(words.modes[mode], mode)));
        const motion = element("div", { className: "group" },
            this.button("restart", () => page.seek(0)),
            this.button("flipBefore", () => page.toFlip(-1)),
            this.button("backwards", () => page.press(-1)),
            this.button("play", () => page.press(1)),
            this.button("flip", () => page.toFlip(1)),
            this.speed,
        );
        const tools = element("div", { className: "group" },
            this.stereo,
            this.button("lesson", () => page.toggle("lesson")),
            this.button("legend", () => page.toggle("legend")),
            this.button("theme", () => page.nextTheme()),
            this.button("home", () => page.hand.goHome()),
            this.button("keys", () => this.keys.showModal()),
            this.button("fullscreen", () => page.fullscreen()),
        );
        this.buttons.fullscreen.hidden = !document.fullscreenEnabled;
        this.clock = element("span", { className: "clock" });
        this.lesson = element("div", { className: "lesson", role: "group", "aria-label": words.lesson });
        this.readouts = element("dl", { className: "readouts" });
        this.legend = element("ul", { className: "legend", "aria-label": words.legend });
        this.card = element("div", { className: "card", hidden: true });
        this.said = element("p", { className: "said", role: "status" });
        this.keys = this.dialog();
        const track = element("div", { className: "track" }, this.scrub, this.clock);
        const row = element("div", { className: "row" }, motion, tools);
        const over = element("div", { className: "over" }, this.readouts, this.card, this.said);
        root.append(over, this.legend, element("div", { className: "bar" }, track, row, this.lesson), this.keys);
    }

    button(name, act) {
        const label = this.words[name];
        const given = { type: "button", title: label, "aria-label": label, className: `tool-${name}`, onclick: act };
        this.buttons[name] = element("button", given, name === "keys" ? "?" : icon(name));
        return this.buttons[name];
    }

    select(name, act) {
        const label = this.words[name];
        return element("select", { title: label, "aria-label": label, onchange: (event) => act(event.target.value) });
    }

    dialog() {
        const rows = this.words.list.map(([key, meaning]) =>
            element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, meaning)));
        const close = element("button", { type: "button", onclick: () => made.close() }, this.words.close);
        const title = element("h2", {}, this.words.keysAndMouse);
        const made = element("dialog", { className: "keys" }, close, title, element("table", {}, ...rows));
        return made;
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
        this.lesson.replaceChildren(...controls.map((control) => this.control(control)));
        if (controls.length) this.lesson.append(this.button("reset", () => this.page.reset()));
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
        const [input, shown] = [slider({}), element("span", { className: "value" })];
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
        const { unit, text } = clockOf(transport.last - transport.first, words.timeUnits);
        const clock = `${text(transport.time)}${motion.until === null ? "" : ` / ${text(motion.until)}`} ${unit}`;
        assign(this.clock, "textContent", clock);
        slide(this.scrub, transport.share, clock);
        for (const [name, runs] of [["play", playing && !backwards], ["backwards", playing && backwards]]) {
            const button = this.buttons[name];
            if (button.ariaPressed === String(runs)) continue;
            button.ariaPressed = String(runs);
            button.replaceChildren(icon(runs ? "pause" : name));
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
        const text = (value) => `${numberText(value, 3)} ×`;
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
