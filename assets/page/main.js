// The entry: the program of a page, which holds what is open, what the reader has changed, and when to draw.

import { useShared } from "./camera.js";
import { withBody } from "./construction.js";
import { Controls, KEYS, cssColor } from "./controls.js";
import { buildFrame } from "./figure.js";
import { Gestures } from "./gestures.js";
import { unpacked } from "./packed.js";
import { Headset } from "./headset.js";
import { scaled } from "./linear.js";
import { freeMotion, motionOf } from "./motion.js";
import { nameAt, thingsIn } from "./names.js";
import { Renderer } from "./renderer.js";
import { momentsOf, orientationOf } from "./state.js";
import { Transport } from "./transport.js";

const byId = (id) => document.getElementById(id);
const copyOf = (values) => JSON.parse(JSON.stringify(values));
/** What the words of a scene speak of and a reader can change, as a text to compare. */
const spokenOf = ({ body, start }, { show, stereo }) => JSON.stringify([body, start, show, stereo.mode]);

/** The program of a page. Whatever changes asks for one picture by `change`; nothing is drawn while nothing moves. */
class Page {
    constructor(data) {
        Object.assign(this, { data, words: data.words, canvas: byId("canvas"), stage: byId("stage") });
        this.shown = { lesson: innerHeight > 500, legend: false, controls: true };
        this.chosen = {}; // the theme and the stereo mode that the reader has chosen, for all scenes
        this.opened = []; // of each scene: { home, view, transport, figure, lesson }, as it was left
        this.headset = new Headset(this);
        this.inSight = true; // whether the canvas is not scrolled away
        this.requested = false;
        this.before = null; // the time [ms] of the last picture, while something moves
        this.controls = new Controls(byId("controls"), this);
        const name = (at) => this.name(at);
        const [show, layer] = [(view) => this.show(view), () => this.frame.layers[0]];
        this.hand = new Gestures(this.canvas, { show, tap: name, point: name, layer });
    }

    /** Begin to draw into a WebGL 2 context, and again after it was lost. */
    async begin() {
        byId("unstarted").remove();
        const gl = this.canvas.getContext("webgl2", { alpha: false, antialias: false });
        if (!gl) {
            byId("without").hidden = false;
            return;
        }
        const { shared, drawing, atlas, scenes } = this.data;
        const field = await unpacked(atlas.field);
        const start = () => {
            this.renderer = new Renderer(gl, drawing, { ...atlas, field });
        };
        byId("controls").hidden = false;
        useShared(shared, atlas);
        this.canvas.addEventListener("webglcontextlost", (event) => {
            event.preventDefault();
            this.renderer = null;
        });
        this.canvas.addEventListener("webglcontextrestored", () => {
            start();
            this.change();
        });
        document.addEventListener("keydown", (event) => this.key(event));
        document.body.dataset.state = "starting"; // the poster stays in front of the canvas until the first picture
        if (scenes.length > 1) this.controls.tabs(byId("tabs"), scenes);
        this.open(0);
        start();
        this.headset.offer();
        new ResizeObserver(() => this.change()).observe(this.canvas); // which asks for the first picture, too
        new IntersectionObserver((entries) => {
            this.inSight = entries.at(-1).isIntersecting;
            this.request();
        }).observe(this.canvas);
    }

    /** Open a scene by its number, as it was left. */
    open(number) {
        const scene = this.data.scenes[number];
        Object.assign(this, { number, scene });
        this.now = this.opened[number] ??= this.fresh(scene);
        this.controls.open(scene, number);
        this.canvas.setAttribute("aria-label", `${scene.title}. ${this.words.scene}`);
        for (const i of this.data.scenes.keys()) byId(`scene-${i}`).hidden = i !== number;
        this.hand.open(this.now.home, this.now.view);
        const { theme = this.view.theme, mode = this.view.stereo.mode } = this.chosen;
        this.show({ theme, stereo: { ...this.view.stereo, mode } });
    }

    fresh(scene) {
        const { view, stereo, show } = scene.figure;
        const home = copyOf({ ...view, stereo, show });
        const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        const transport = new Transport(motionOf(scene.motion), scene.lesson, !still);
        transport.seek(scene.time);
        return { home, view: home, transport, figure: scene.figure, lesson: copyOf(scene.lesson) };
    }

    get transport() {
        return this.now.transport;
    }

    get view() {
        return this.now.view;
    }

    /** Show another view, given by what changes in it. */
    show(changes) {
        this.now.view = this.hand.view = { ...this.view, ...changes };
        this.change();
    }

    /** Ask for a picture. */
    change() {
        const { scene, now: { lesson, view, home } } = this;
        byId("changed").hidden = spokenOf(lesson, view) === spokenOf(scene.lesson, home);
        this.stale = true;
        this.request();
    }

    request() {
        if (this.requested || !this.renderer || !this.inSight || this.headset.session) return;
        this.requested = true;
        requestAnimationFrame((now) => this.tick(now));
    }

    tick(now) {
        this.requested = false;
        if (!this.renderer || this.headset.session) return;
        const moved = this.transport.advance(this.before === null ? 0 : (now - this.before) / 1000);
        const glides = this.hand.follow(now);
        if (glides) this.now.view = this.hand.view;
        if (moved || glides || this.stale) this.draw();
        const goesOn = this.inSight && (this.transport.moving || this.hand.glide !== null);
        this.before = goesOn ? now : null;
        if (goesOn) this.request();
    }

    /** The frame of the open scene now, in a display { size, pixelScale }. */
    frameFor(display, view) {
        const { motion, time } = this.transport;
        return buildFrame({ ...this.scene, figure: this.now.figure }, motion, time, display, view);
    }

    draw() {
        const { canvas, view, transport } = this;
        const pixelScale = devicePixelRatio;
        const size = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * pixelScale)));
        if (canvas.width !== size[0]) canvas.width = size[0];
        if (canvas.height !== size[1]) canvas.height = size[1];
        this.stale = false;
        this.frame = this.frameFor({ size, pixelScale }, view);
        this.renderer.draw(this.frame);
        this.hand.halves = { columns: [2, 1], rows: [1, 2] }[this.data.shared.modes[view.stereo.mode].layout] ?? [1, 1];
        this.stage.toggleAttribute("data-halves", this.hand.halves.includes(2));
        this.paint(this.frame.layers[0].scene.theme);
        this.controls.update(transport.motion.at(transport.time));
        if (this.shown.legend) this.controls.showLegend(thingsIn(this.frame));
        document.body.dataset.state = "live";
    }

    /** Give the controls the colours of the picture's theme. */
    paint(theme) {
        if (theme === this.painted) return;
        this.painted = theme;
        const { style } = document.documentElement;
        style.setProperty("--bar", cssColor(theme.dark ? theme.backgroundTop : theme.backgroundBottom));
        style.setProperty("--ink", cssColor(theme.text));
        style.setProperty("--accent", cssColor(theme.axes[0]));
        document.body.dataset.theme = this.view.theme;
    }

    /** Act on a key, unless it belongs to the control that has the keyboard. */
    key(event) {
        const { target, key } = event;
        const own = target.matches("select") || (key === " " && target.matches("button, input")) ||
            (key === "Home" && target.matches("input, [role=tab]"));
        const act = KEYS[key] ?? KEYS[key.toLowerCase()];
        if (!act || own || event.ctrlKey || event.altKey || event.metaKey || this.controls.keys.open) return;
        event.preventDefault();
        act(this);
    }

    /** Run forwards (1) or backwards (-1), or pause. */
    press(sign) {
        this.transport.press(sign);
        this.controls.say(this.words[this.transport.playing ? "playing" : "paused"]);
        this.change();
    }

    seek(time) {
        this.transport.seek(time);
        this.change();
    }

    /** Go to the next flip (1) or the one before (-1). */
    toFlip(sign) {
        const { motion, time } = this.transport;
        const found = sign > 0 ? motion.nextFlip(time) : motion.previousFlip(time);
        if (found === null) this.controls.say(this.words[sign > 0 ? "noFlip" : "noFlipBefore"]);
        else this.seek(found);
    }

    /** Set the speed; null: the automatic one. */
    setSpeed(speed) {
        this.transport.ownSpeed = speed;
        this.change();
    }

    setStereo(mode) {
        const { stereo } = this.view;
        if (stereo.mode !== "mono") this.lastMode = stereo.mode;
        this.chosen.mode = mode;
        this.controls.say(this.words.modes[mode]);
        this.show({ stereo: { ...stereo, mode } });
    }

    nextStereo(by) {
        const { modes } = this.controls, at = modes.indexOf(this.view.stereo.mode) + by + modes.length;
        this.setStereo(modes[at % modes.length]);
    }

    toggleStereo() {
        this.setStereo(this.view.stereo.mode === "mono" ? (this.lastMode ?? "anaglyph") : "mono");
    }

    swapEyes() {
        const { stereo } = this.view;
        this.show({ stereo: { ...stereo, exchangeEyes: !stereo.exchangeEyes } });
    }

    nextTheme() {
        const names = Object.keys(this.scene.figure.themes);
        const theme = names[(names.indexOf(this.view.theme) + 1) % names.length];
        this.chosen.theme = theme;
        this.controls.say(this.words.themes[theme]);
        this.show({ theme });
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
            this.show({ show: { ...this.view.show, [name]: value } });
            return;
        }
        const values = this.now.lesson[section];
        if (index === undefined) values[name] = value;
        else values[name][index] = value;
        this.remake();
    }

    /** Make the motion of the values that are set, from its start. */
    remake() {
        const { scene, now } = this;
        const { body, start } = now.lesson;
        const changed = JSON.stringify(body) !== JSON.stringify(scene.lesson.body);
        const own = () => (body.shape === "moments" ? [...body.moments] : momentsOf(body));
        const moments = changed ? own() : scene.motion.moments;
        const orientation = orientationOf(start.orientationDeg);
        now.figure = changed ? withBody(scene.figure, body, moments) : scene.figure;
        this.transport.begin(freeMotion({ ...scene.motion, moments, orientation, omegaBody: [...start.angularVelocity] }));
        this.change();
    }

    /** Undo what sliders and switches have changed. */
    reset() {
        this.now.lesson = copyOf(this.scene.lesson);
        this.controls.open(this.scene, this.number);
        this.show({ show: this.now.home.show });
        if (this.scene.motion.kind === "free") this.remake();
    }

    /** Name the thing at a point [x, y] of the canvas [px]; null: nothing is pointed at. */
    name(at) {
        this.controls.showName(at && this.frame && nameAt(this.frame, ...scaled(at, devicePixelRatio)), at);
    }
}

const packed = await unpacked(byId("data").textContent);
await new Page(JSON.parse(new TextDecoder().decode(packed))).begin();
