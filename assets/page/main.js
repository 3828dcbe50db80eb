// The entry: one program per page, which holds what is open, what the reader has changed, and when to draw.

import { Controls, KEYS, STEREO_CYCLE, cssColor } from "./controls.js";
import { useShared } from "./camera.js";
import { withBody } from "./construction.js";
import { buildFrame } from "./figure.js";
import { Gestures } from "./gestures.js";
import { Headset } from "./headset.js";
import { freeMotion, motionOf } from "./motion.js";
import { unpacked } from "./gl.js";
import { nameAt, thingsIn } from "./names.js";
import { Renderer } from "./renderer.js";
import { momentsOf, orientationOf } from "./state.js";
import { Transport } from "./transport.js";

const byId = (id) => document.getElementById(id);
const copyOf = (values) => JSON.parse(JSON.stringify(values));

/** The program of a page. Everything that moves or changes goes through `change`, which asks for one picture. */
class Page {
    constructor(data) {
        this.data = data;
        this.canvas = byId("canvas");
        this.stage = byId("stage");
        this.shown = { lesson: innerHeight > 560, legend: false, controls: true };
        this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.controls = new Controls(byId("controls"), this, data.words);
        this.hand = new Gestures(this.canvas, {
            show: (view) => this.change({ view }),
            tap: (at) => this.name(at),
            point: (at) => this.name(at),
        });
        this.headset = new Headset(this);
        this.opened = []; // what is left of each scene while another one is open
        this.requested = false;
        this.before = null; // the time [ms] of the last picture while something moves
    }

    /** Begin to draw into a WebGL 2 context, again after it was lost. */
    async begin() {
        const gl = this.canvas.getContext("webgl2", { alpha: false, antialias: false, stencil: false });
        if (!gl) {
            byId("without").hidden = false;
            return;
        }
        const { shared, shaders, atlas } = this.data;
        useShared(shared, atlas);
        const field = await unpacked(atlas.field);
        const start = () => {
            this.renderer = new Renderer(gl, shaders, { ...atlas, field });
            this.change();
        };
        this.canvas.addEventListener("webglcontextlost", (event) => {
            event.preventDefault();
            this.renderer = null;
        });
        this.canvas.addEventListener("webglcontextrestored", start);
        document.body.dataset.state = "live";
        new ResizeObserver(() => this.change()).observe(this.canvas);
        document.addEventListener("keydown", (event) => this.key(event));
        document.addEventListener("visibilitychange", () => (this.before = null));
        this.canvas.setAttribute("role", "img");
        this.tabs();
        this.open(0);
        start();
        this.headset.offer();
    }

    tabs() {
        const { scenes } = this.data;
        if (scenes.length < 2) return;
        const tabs = scenes.map(({ title }, i) => {
            const tab = document.createElement("button");
            Object.assign(tab, { type: "button", textContent: title, role: "tab", id: `tab-${i}` });
            tab.setAttribute("aria-controls", "stage");
            tab.addEventListener("click", () => this.open(i));
            return tab;
        });
        byId("tabs").append(...tabs);
        byId("tabs").addEventListener("keydown", (event) => {
            const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!by) return;
            this.open((this.number + by + scenes.length) % scenes.length);
            tabs[this.number].focus();
        });
        this.stage.setAttribute("role", "tabpanel");
    }

    /** Open a scene by its number, as it was left. */
    open(number) {
        const scene = this.data.scenes[number];
        this.number = number;
        this.scene = scene;
        this.opened[number] ??= this.fresh(scene);
        this.transport = this.opened[number].transport;
        this.controls.open(scene, this.transport.motion.kind === "free");
        this.canvas.setAttribute("aria-label", `${scene.title}. ${this.data.words.scene}`);
        for (const [i] of this.data.scenes.entries()) {
            const tab = byId(`tab-${i}`);
            tab?.setAttribute("aria-selected", i === number);
            if (tab) tab.tabIndex = i === number ? 0 : -1;
            byId(`scene-${i}`).hidden = i !== number;
        }
        if (byId(`tab-${number}`)) this.stage.setAttribute("aria-labelledby", `tab-${number}`);
        this.hand.open(this.opened[number].home);
        this.change({ view: this.opened[number].view });
    }

    fresh(scene) {
        const { view, stereo, show } = scene.figure;
        const home = copyOf({ ...view, stereo, show });
        const transport = new Transport(motionOf(scene.motion), scene.lesson, !this.still);
        transport.seek(scene.time ?? 0);
        return { home, view: home, transport, figure: scene.figure, lesson: copyOf(scene.lesson) };
    }

    get view() {
        return this.opened[this.number].view;
    }

    /** Ask for a picture, of another view if one is given. */
    change({ view } = {}) {
        if (view) {
            this.opened[this.number].view = view;
            this.hand.view = view;
        }
        this.stale = true;
        this.request();
    }

    request() {
        if (this.requested || !this.renderer || this.headset.session) return;
        this.requested = true;
        requestAnimationFrame((now) => this.tick(now));
    }

    tick(now) {
        this.requested = false;
        if (!this.renderer || this.headset.session) return;
        const moved = this.transport.advance(this.before === null ? 0 : (now - this.before) / 1000);
        if (this.hand.follow(now)) {
            this.opened[this.number].view = this.hand.view;
            this.stale = true;
        }
        if (moved || this.stale) this.draw();
        const goesOn = this.transport.moving || this.hand.glide !== null;
        this.before = goesOn ? now : null;
        if (goesOn) this.request();
    }

    /** The frame of the open scene now, in a display { size, pixelScale }. */
    frameFor(display, view) {
        const { figure } = this.opened[this.number];
        const { motion, time } = this.transport;
        return buildFrame({ ...this.scene, figure }, motion, time, display, view);
    }

    draw() {
        const { canvas, view, transport } = this;
        this.stale = false;
        const pixelScale = devicePixelRatio || 1;
        const size = [canvas.clientWidth, canvas.clientHeight].map((length) => Math.max(1, Math.round(length * pixelScale)));
        if (canvas.width !== size[0]) canvas.width = size[0];
        if (canvas.height !== size[1]) canvas.height = size[1];
        this.frame = this.frameFor({ size, pixelScale }, view);
        this.renderer.draw(this.frame);
        this.hand.halves = { columns: [2, 1], rows: [1, 2] }[this.data.shared.modes[view.stereo.mode].layout] ?? [1, 1];
        this.paint();
        this.controls.update(transport.motion.at(transport.time));
        if (this.shown.legend) this.controls.showLegend(thingsIn(this.frame));
    }

    /** Give the controls the colours of the picture's theme. */
    paint() {
        const { themes } = this.scene.figure;
        const name = this.view.theme;
        const theme = themes[name][this.view.stereo.mode === "anaglyph" ? "anaglyph" : "mono"];
        if (theme === this.painted) return;
        this.painted = theme;
        const root = document.documentElement.style;
        root.setProperty("--bar", cssColor(theme.dark ? theme.backgroundTop : theme.backgroundBottom));
        root.setProperty("--ink", cssColor(theme.text));
        root.setProperty("--accent", cssColor(theme.axes[0]));
        document.body.dataset.theme = name;
    }

    key(event) {
        const { target } = event;
        const typing = target.matches("select, input") && target.type !== "range" && target.type !== "checkbox";
        const pressed = event.key === " " && target.matches("button, input, a, summary");
        if (event.ctrlKey || event.altKey || event.metaKey || typing || pressed || this.controls.keys.open) return;
        if (event.key === "Home" && target.type === "range") return;
        const act = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
        if (!act) return;
        event.preventDefault();
        act(this);
    }

    togglePlay() {
        this.press(this.transport.backwards ? -1 : 1);
    }

    reverse() {
        this.press(this.transport.backwards ? 1 : -1);
    }

    press(sign) {
        this.transport.press(sign);
        this.controls.say(this.data.words[this.transport.playing ? "playing" : "paused"]);
        this.change();
    }

    restart() {
        this.seek(0);
    }

    seek(time) {
        this.transport.seek(time);
        this.change();
    }

    /** Go to a share 0..1 of the track. */
    scrub(share) {
        const { first, last } = this.transport;
        this.seek(first + share * (last - first));
    }

    /** Hold the clock while the track is dragged. */
    hold(held) {
        this.transport.held = held;
        this.change();
    }

    /** Go to the next flip (1) or the one before (-1). */
    toFlip(sign) {
        const { motion, time } = this.transport;
        const found = sign > 0 ? motion.nextFlip?.(time) : motion.previousFlip?.(time);
        if (found == null) this.controls.say(this.data.words[sign > 0 ? "noFlip" : "noFlipBefore"]);
        else this.seek(found);
    }

    setSpeed(speed) {
        this.transport.ownSpeed = speed;
        this.change();
    }

    goHome() {
        this.hand.goHome();
        this.change();
    }

    setStereo(mode) {
        const { view } = this;
        if (view.stereo.mode !== "mono") this.lastMode = view.stereo.mode;
        this.controls.say(this.data.words.modes[mode]);
        this.change({ view: { ...view, stereo: { ...view.stereo, mode } } });
    }

    cycleStereo(by) {
        const at = STEREO_CYCLE.indexOf(this.view.stereo.mode) + by;
        this.setStereo(STEREO_CYCLE[(at + STEREO_CYCLE.length) % STEREO_CYCLE.length]);
    }

    toggleStereo() {
        this.setStereo(this.view.stereo.mode === "mono" ? (this.lastMode ?? "anaglyph") : "mono");
    }

    swapEyes() {
        const { stereo } = this.view;
        this.change({ view: { ...this.view, stereo: { ...stereo, exchangeEyes: !stereo.exchangeEyes } } });
    }

    nextTheme() {
        const names = Object.keys(this.scene.figure.themes);
        const theme = names[(names.indexOf(this.view.theme) + 1) % names.length];
        this.controls.say(this.data.words.themes[theme]);
        this.change({ view: { ...this.view, theme } });
    }

    fullscreen() {
        if (document.fullscreenElement) document.exitFullscreen();
        else this.stage.requestFullscreen?.();
    }

    /** Show or hide the sliders, the legend or all controls. */
    toggle(name) {
        this.shown[name] = !this.shown[name];
        this.stage.toggleAttribute("data-bare", !this.shown.controls);
        this.change();
    }

    /** Set a field of the scene: a switch of the picture, or a value from which the motion is made anew. */
    setValue({ path, index }, value) {
        const [section, field] = path.split(".");
        const name = field.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
        if (section === "show") {
            this.change({ view: { ...this.view, show: { ...this.view.show, [name]: value } } });
            return;
        }
        const { lesson } = this.opened[this.number];
        if (index === undefined) lesson[section][name] = value;
        else lesson[section][name][index] = value;
        this.remake();
    }

    /** Make the motion of the values that are set, from its start. */
    remake() {
        const open = this.opened[this.number];
        const { body, start } = open.lesson;
        const ofScene = JSON.stringify(body) === JSON.stringify(this.scene.lesson.body);
        const ownMoments = () => (body.shape === "moments" ? body.moments : momentsOf(body));
        const moments = ofScene ? this.scene.motion.moments : ownMoments();
        open.figure = ofScene ? this.scene.figure : withBody(this.scene.figure, body, moments);
        const given = { moments, orientation: orientationOf(start.orientationDeg), omegaBody: start.angularVelocity };
        this.transport.begin(freeMotion(copyOf(given)));
        this.change();
    }

    /** Undo what sliders and switches have changed. */
    reset() {
        const open = this.opened[this.number];
        open.lesson = copyOf(this.scene.lesson);
        open.view = { ...open.view, show: open.home.show };
        this.controls.open(this.scene, true);
        this.remake();
    }

    /** Name the thing at a point [x, y] of the canvas [px]; null: nothing is pointed at. */
    name(at) {
        const pixelScale = devicePixelRatio || 1;
        const found = at && this.frame ? nameAt(this.frame, at[0] * pixelScale, at[1] * pixelScale) : null;
        this.controls.showName(found?.name, at ?? undefined);
    }
}

const packed = await unpacked(byId("data").textContent);
await new Page(JSON.parse(new TextDecoder().decode(packed))).begin();
