// What lies around the figure: the bar with clock and tools, sliders, numbers, legend, names, and the list of keys.

import { nextSpeed, speedsAround } from "./transport.js";

export const STEREO_CYCLE = ["mono", "anaglyph", "side-by-side", "cross-eyed", "top-bottom"];

const SLIDER = 1000; // the travel of a slider
const ICONS = { // strokes and, after "|", filled shapes, in a square of 24
    restart: "M6 5v14|M19 5v14l-10-7z",
    flipBefore: "M21 17a9 9 0 0 0-17.5-2M3 8v7h7|",
    backwards: "|M18 4v16L5 12z",
    play: "|M6 4v16l13-8z",
    pause: "|M6 4h4v16H6zM14 4h4v16h-4z",
    flip: "M3 17a9 9 0 0 1 17.5-2M21 8v7h-7|",
    stereo: "M2 8h8v7a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2zM14 8h8v7a2 2 0 0 1-2 2h-4a2 2 0 0 1-2-2zM10 10h4|",
    theme: "M12 3a9 9 0 0 0 0 18a9 9 0 0 0 0-18z|M12 3a9 9 0 0 1 0 18z",
    legend: "M4 6h3M11 6h9M4 12h3M11 12h9M4 18h3M11 18h9|",
    home: "M4 11l8-7 8 7M6 10v10h12V10|",
    lesson: "M3 8h8M17 8h4M3 16h3M12 16h9|M14 5a3 3 0 0 1 0 6a3 3 0 0 1 0-6zM9 13a3 3 0 0 1 0 6a3 3 0 0 1 0-6z",
    headset: "M3 8h18v9h-6l-2-3h-2l-2 3H3zM7 12h2M15 12h2|",
    fullscreen: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5|",
    reset: "M4 4v6h6M4.5 10a8 8 0 1 1-.5 4|",
};

/** A new element with attributes or properties, and what is in it. */
export function element(name, given = {}, ...inside) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(given)) {
        if (key in made) made[key] = value;
        else made.setAttribute(key, value);
    }
    made.append(...inside);
    return made;
}

/** A number with three significant digits, as the app writes it: 0.0145, 1.00, 1230, −4.56×10⁻⁵. */
export function shortNumber(value) {
    if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "–";
    if (value === 0) return "0";
    const [mantissa, exponent] = value.toExponential(2).split("e");
    const power = Number(exponent);
    let text = value.toFixed(Math.max(0, 2 - power));
    if (power < -4 || power >= 5) {
        text = `${mantissa}×10${[...String(power)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("")}`;
    }
    return text.replace("-", "−");
}

/** A value [SI] as a text in a unit { unit, size }. */
export function withUnit(value, { unit, size }) {
    return `${shortNumber(value / size)}${unit === "°" ? "" : " "}${unit}`.trimEnd();
}

/** A colour [r, g, b], 0..1, as CSS has it. */
export function cssColor(color) {
    return `rgb(${color.map((part) => Math.round(255 * part)).join(" ")})`;
}

function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    for (const [i, shape] of ICONS[name].split("|").entries()) {
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", shape);
        path.setAttribute("class", i ? "filled" : "drawn");
        svg.append(path);
    }
    return svg;
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

/** The controls of a page; `page` is the page's program, whose functions they call, `words` are its texts. */
export class Controls {
    constructor(root, page, words) {
        Object.assign(this, { page, words });
        this.buttons = {};
        this.scrub = slider({ className: "scrub", "aria-label": words.time });
        this.scrub.addEventListener("input", () => page.scrub(Number(this.scrub.value) / SLIDER));
        for (const [name, held] of [["pointerdown", true], ["change", false], ["pointerup", false], ["pointercancel", false]]) {
            this.scrub.addEventListener(name, () => page.hold(held));
        }
        this.clock = element("span", { className: "clock" });
        this.speed = this.select("speed", (value) => page.setSpeed(value === "auto" ? null : Number(value)));
        this.stereo = this.select("stereo", (value) => page.setStereo(value));
        for (const mode of STEREO_CYCLE) this.stereo.append(new Option(words.modes[mode], mode));
        const button = (name, act) => (this.buttons[name] = this.button(name, act));
        const motion = element("div", { className: "group", role: "group" },
            button("restart", () => page.restart()),
            button("flipBefore", () => page.toFlip(-1)),
            button("backwards", () => page.press(-1)),
            button("play", () => page.press(1)),
            button("flip", () => page.toFlip(1)),
            this.speed,
        );
        const tools = element("div", { className: "group tools", role: "group" },
            this.stereo,
            button("lesson", () => page.toggle("lesson")),
            button("legend", () => page.toggle("legend")),
            button("theme", () => page.nextTheme()),
            button("home", () => page.goHome()),
            button("keys", () => this.keys.showModal()),
            button("fullscreen", () => page.fullscreen()),
        );
        this.buttons.fullscreen.hidden = !document.fullscreenEnabled;
        this.lesson = element("div", { className: "lesson", role: "group", "aria-label": words.lesson });
        this.readouts = element("dl", { className: "readouts" });
        this.legend = element("ul", { className: "legend", hidden: true, "aria-label": words.legend });
        this.card = element("div", { className: "card", hidden: true });
        this.said = element("p", { className: "said", role: "status" });
        this.keys = this.dialog();
        root.append(
            element("div", { className: "over" }, this.readouts, this.card),
            this.legend,
            element("div", { className: "bar" },
                element("div", { className: "track" }, this.scrub, this.clock),
                element("div", { className: "row" }, motion, tools),
                this.lesson,
            ),
            this.said,
            this.keys,
        );
    }

    button(name, act) {
        const label = this.words[name];
        const given = { type: "button", title: label, "aria-label": label, className: `tool-${name}` };
        const made = element("button", given, name === "keys" ? "?" : icon(name));
        made.addEventListener("click", act);
        return made;
    }

    select(name, act) {
        const made = element("select", { title: this.words[name], "aria-label": this.words[name] });
        made.addEventListener("change", () => act(made.value));
        return made;
    }

    dialog() {
        const rows = this.words.list.map(([key, meaning]) =>
            element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, meaning)),
        );
        const close = element("button", { type: "button", className: "close" }, this.words.close);
        const made = element("dialog", { className: "keys" },
            element("h2", {}, this.words.keysAndMouse), element("table", {}, ...rows), close);
        close.addEventListener("click", () => made.close());
        return made;
    }

    /** Show another scene: its sliders, numbers and legend. */
    open(scene, free) {
        const controls = scene.lesson.controls.filter(({ path }) => free || path.startsWith("show."));
        this.lesson.replaceChildren(...controls.map((control) => this.control(control)));
        if (controls.length) this.lesson.append(this.button("reset", () => this.page.reset()));
        this.buttons.lesson.hidden = controls.length === 0;
        this.time = scene.lesson.time;
        this.readouts.replaceChildren();
        this.numbers = scene.lesson.readouts.map((readout) => {
            const value = element("dd");
            this.readouts.append(element("div", {}, element("dt", {}, readout.label), value));
            return { ...readout, value };
        });
        for (const name of ["flip", "flipBefore"]) this.buttons[name].disabled = !free;
    }

    control(control) {
        const label = element("label", { title: control.meaning }, element("span", {}, control.label));
        if (control.kind === "switch") {
            const box = element("input", { type: "checkbox", checked: control.value });
            box.addEventListener("change", () => this.page.setValue(control, box.checked));
            label.prepend(box);
            return label;
        }
        const [input, shown] = [slider({}), element("span", { className: "value" })];
        const { low, high, log } = control;
        const show = (value) => {
            shown.textContent = withUnit(value, control);
            slide(input, log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low), shown.textContent);
        };
        input.addEventListener("input", () => {
            const at = Number(input.value) / SLIDER;
            const value = log ? low * (high / low) ** at : low + at * (high - low);
            const fine = (high - low) / SLIDER;
            const round = Number(log ? value.toPrecision(3) : value.toFixed(Math.max(0, Math.ceil(-Math.log10(fine)))));
            show(round);
            this.page.setValue(control, round);
        });
        show(control.value);
        label.append(shown, input);
        return label;
    }

    /** Bring everything up to date with the page's state; `reading` is the motion now. */
    update(reading) {
        const { page, words } = this;
        const { transport, view } = page;
        const changed = (node, key, value) => node[key] !== value && (node[key] = value);
        const clock = this.clockText(transport);
        changed(this.clock, "textContent", clock);
        slide(this.scrub, transport.share, clock);
        for (const [name, sign] of [["play", 1], ["backwards", -1]]) {
            const runs = transport.playing && transport.backwards === sign < 0;
            if (this.buttons[name].ariaPressed !== String(runs)) {
                this.buttons[name].ariaPressed = String(runs);
                this.buttons[name].replaceChildren(icon(runs ? "pause" : name));
            }
        }
        this.showSpeeds(transport);
        changed(this.stereo, "value", view.stereo.mode);
        for (const name of ["lesson", "legend"]) this.buttons[name].ariaPressed = String(page.shown[name]);
        changed(this.lesson, "hidden", !page.shown.lesson || this.lesson.childElementCount === 0);
        changed(this.legend, "hidden", !page.shown.legend);
        const values = {
            omega: Math.hypot(...reading.omegaBody),
            energy: reading.energy,
            momentum: Math.hypot(...reading.angularMomentumWorld),
            period: transport.motion.period,
        };
        for (const number of this.numbers) {
            const value = values[number.name];
            changed(number.value, "textContent", value == null ? words.none : withUnit(value, number));
        }
    }

    clockText({ time, motion: { until } }) {
        const { unit, size } = this.time;
        const text = (seconds) => (seconds / size).toFixed(2).replace("-", "−");
        return `${text(time)}${until == null ? "" : ` / ${text(until)}`} ${unit}`;
    }

    showSpeeds({ speed, ownSpeed, automatic }) {
        const key = `${ownSpeed} ${automatic}`;
        if (key === this.speedsShown) return;
        this.speedsShown = key;
        const text = (value) => `${shortNumber(value)} ×`;
        const rounds = [...new Set([...speedsAround(automatic), speed])].sort((a, b) => a - b);
        this.speed.replaceChildren(
            new Option(`${this.words.auto} · ${text(automatic)}`, "auto"),
            ...rounds.map((value) => new Option(text(value), String(value))),
        );
        this.speed.value = ownSpeed === null ? "auto" : String(ownSpeed);
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
        const rank = { "x′": 0, "y′": 1, "z′": 2 }[name];
        const { moments } = this.page.transport.motion;
        if (rank !== undefined && new Set(moments).size === 3) {
            return this.words.axes[moments.filter((moment) => moment < moments[rank]).length];
        }
        return this.words.things[name.split(":")[0].replace(/[₁₂₃]$/, "")];
    }

    /** Say what a thing is, beside the point [x, y]; null hides the card. */
    showName(name, [x, y] = [0, 0]) {
        const words = name && this.thing(name);
        this.card.hidden = !words;
        if (!words) return;
        this.card.replaceChildren(element("b", {}, words.name), element("span", {}, words.sentence));
        const { clientWidth, clientHeight } = this.card.parentElement;
        const left = Math.min(x + 14, clientWidth - this.card.offsetWidth - 8);
        const above = y - this.card.offsetHeight - 14;
        this.card.style.setProperty("left", `${Math.max(8, left)}px`);
        this.card.style.setProperty("top", `${above > 8 ? above : Math.min(y + 18, clientHeight - this.card.offsetHeight - 8)}px`);
    }

    /** Say something to those who listen, and show it for a moment. */
    say(text) {
        this.said.replaceChildren(element("span", {}, text));
    }
}

/** What a key does, by its name as KeyboardEvent.key has it. */
export const KEYS = {
    " ": (page) => page.togglePlay(),
    b: (page) => page.reverse(),
    n: (page) => page.toFlip(1),
    r: (page) => page.restart(),
    "+": (page) => page.setSpeed(nextSpeed(page.transport.speed, 1)),
    "=": (page) => page.setSpeed(nextSpeed(page.transport.speed, 1)),
    "-": (page) => page.setSpeed(nextSpeed(page.transport.speed, -1)),
    s: (page) => page.cycleStereo(1),
    S: (page) => page.cycleStereo(-1),
    d: (page) => page.toggleStereo(),
    x: (page) => page.swapEyes(),
    t: (page) => page.nextTheme(),
    Home: (page) => page.goHome(),
    N: (page) => page.toggle("legend"),
    h: (page) => page.toggle("controls"),
    f: (page) => page.fullscreen(),
    "?": (page) => page.controls.keys.showModal(),
};
