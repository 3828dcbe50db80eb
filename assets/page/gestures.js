// How a drag, a wheel and fingers change the view, and the way back to the first one.

import { ORIGIN, look, radians, smoothStep } from "./camera.js";
import { add, clamped, identity, mixed, norm, scaled, subtract, times, transposed } from "./linear.js";

const HALF_TURN_DEG = 180; // turn by a drag over the height of the picture
const NOTCH = 1.12; // factor of the zoom by one notch of the wheel, 100 px of its scrolling
const ZOOM_LIMITS = [0.05, 50];
const ABOUT_POINT = [1, 2]; // zooms at which a drag turns about the middle, and about the point that one looks at
const FURTHEST_PAN = [0.8, 0.5]; // heights of the picture that a drag may move the figure's middle away, at zoom 1
const GLIDE_SECONDS = 0.3;
const STILL = 5; // px: a pointer that moves less has not dragged
const DOUBLE_TAP = 350; // ms between two taps that belong together
const KEY_TURN = 15; // px of a drag that an arrow key stands for

/** The directions to the right, upwards and towards the eye in the frame of a view, as rows. */
function axesOf({ polarAngleDeg, azimuthDeg }) {
    const { right, up, backward } = look(identity(3), ORIGIN, radians(polarAngleDeg), radians(azimuthDeg), 1, 1, [0, 0]);
    return [right, up, backward];
}

/** How far to the right of and above the middle of the scene a point, as of `turningPoint`, appears. */
function placeOf(view, point) {
    const [x, y, z] = times(axesOf(view), point);
    const height = (2 * Math.tan(radians(view.fieldOfViewDeg) / 2) * (1 - z)) / Math.max(view.zoom, 1);
    return [x / height, y / height];
}

/**
 * The point about which drags turn a view: enlarged, it is the contact if a layer's picture shows it, else what is in
 * the middle of the picture. It is counted from the middle of the scene along the axes of the view's frame, in
 * distances of the camera.
 */
export function turningPoint(view, { camera, scene }, aspect) {
    const tall = 2 * Math.tan(camera.fieldOfView / 2);
    let seen = scaled([...camera.shift, 0], -tall);
    if (scene.contact) {
        const away = scaled(subtract(scene.contact, camera.position), 1 / camera.distance);
        const found = add(times([camera.right, camera.up, camera.backward], away), [0, 0, 1]);
        const [across, up] = [0, 1].map((i) => found[i] / (1 - found[2]) / tall + camera.shift[i]);
        if (Math.abs(across) < 0.5 * aspect && Math.abs(up) < 0.5) seen = found;
    }
    return scaled(times(transposed(axesOf(view)), seen), smoothStep(view.zoom, ABOUT_POINT));
}

/** The view after a drag by [dx, dy] px to the right and up that turns it about a point, in a picture `height` px tall. */
export function orbited(view, dx, dy, height, about) {
    const degrees = HALF_TURN_DEG / Math.max(height, 1);
    const azimuthDeg = wrappedDeg(view.azimuthDeg - dx * degrees);
    const polarAngleDeg = clamped(view.polarAngleDeg + dy * degrees, 0, 180);
    const turned = { ...view, azimuthDeg, polarAngleDeg };
    return { ...turned, pan: add(view.pan, subtract(placeOf(view, about), placeOf(turned, about))) };
}

/** The view after a drag by [dx, dy] px to the right and up that moves the picture, `height` px tall. */
export function panned(view, dx, dy, height) {
    const pan = [dx, dy].map((moved, i) => {
        const most = Math.max(FURTHEST_PAN[i] * Math.max(view.zoom, 1), Math.abs(view.pan[i]));
        return clamped(view.pan[i] + moved / Math.max(height, 1), -most, most);
    });
    return { ...view, pan };
}

/**
 * The view enlarged by a factor. `places` are the point that stays where it is, and the lower left and the upper right
 * corner of the picture, in heights of the picture from where the middle of the scene appears; `home` is the pan at zoom 1.
 */
export function enlarged(view, factor, places, home) {
    const zoom = clamped(view.zoom * factor, ...ZOOM_LIMITS);
    const [before, after] = [Math.max(view.zoom, 1) - 1, Math.max(zoom, 1) - 1];
    const pan = [0, 1].map((i) => {
        const [own, [still, low, high]] = [home[i], places.map((place) => place[i])];
        const moved = view.pan[i] - ((after - before) / (before + 1)) * still;
        const byHand = before > 0 ? ((view.pan[i] - own) * after) / before : 0;
        const least = Math.min(byHand, after * (own - view.pan[i] - high));
        const most = Math.max(byHand, after * (own - view.pan[i] - low));
        return own + clamped(moved - own, least, most);
    });
    return { ...view, zoom, pan };
}

/** The view at a share 0..1 of the way between two: the azimuth the short way round, the zoom by equal factors. */
export function viewBetween(start, end, share) {
    if (share >= 1) return end;
    const s = smoothStep(share, [0, 1]), zoom = start.zoom * (end.zoom / start.zoom) ** s;
    const moved = Math.abs(end.zoom - start.zoom) < 1e-9 * end.zoom ? s : (zoom - start.zoom) / (end.zoom - start.zoom);
    const polarAngleDeg = mixed(start.polarAngleDeg, end.polarAngleDeg, s);
    const azimuthDeg = wrappedDeg(start.azimuthDeg + s * wrappedDeg(end.azimuthDeg - start.azimuthDeg));
    return { ...end, polarAngleDeg, azimuthDeg, zoom, pan: mixed(start.pan, end.pan, moved) };
}

function wrappedDeg(degrees) {
    return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

/**
 * The hand on a canvas: `show(view)` is called with each new view, `tap([x, y])` with the place of a tap and
 * `point([x, y] or null)` with that of a mouse that rests, all in px of the canvas' box; `layer()` is what it shows.
 */
export class Gestures {
    constructor(canvas, { show, tap, point, layer }) {
        Object.assign(this, { canvas, show, tap, point, layer });
        this.pointers = new Map(); // [x, y] of the pointers that are down, by their ids
        this.lastTap = { time: -Infinity, at: [0, 0] };
        this.glide = null; // { start, end, began } on the way home
        this.halves = [1, 1]; // how many pictures lie beside and above each other on the canvas
        const on = (name, act) => canvas.addEventListener(name, act, { passive: false });
        on("pointerdown", (event) => this.down(event));
        on("pointermove", (event) => this.move(event));
        for (const name of ["pointerup", "pointercancel"]) on(name, (event) => this.up(event));
        on("pointerleave", (event) => event.pointerType === "mouse" && this.point(null));
        on("contextmenu", (event) => event.preventDefault());
        on("wheel", (event) => {
            event.preventDefault();
            const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 100 : 3;
            const notch = event.ctrlKey ? Math.E : NOTCH; // two fingers on a trackpad come as a wheel with Ctrl
            this.zoom(notch ** (-event.deltaY / lines), this.place(event));
        });
        on("keydown", (event) => this.key(event));
    }

    /** Begin with the view of a scene that is opened, and the one that `goHome` leads to. */
    open(home, view) {
        Object.assign(this, { home, view, glide: null });
        this.unzoomedPan = home.pan;
    }

    /** The size [px] of one eye's picture. */
    get size() {
        return [this.canvas.clientWidth / this.halves[0], this.canvas.clientHeight / this.halves[1]];
    }

    /** The point about which a drag that begins now turns the view. */
    turnsAbout() {
        return turningPoint(this.view, this.layer(), this.size[0] / this.size[1]);
    }

    /** The place [x, y] of an event on the canvas [px]. */
    place(event) {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    /** Show another view, which ends a glide. */
    change(view) {
        this.glide = null;
        if (view.zoom <= 1) this.unzoomedPan = view.pan;
        this.view = view;
        this.show(view);
    }

    /** Enlarge the view by a factor about a point of the canvas, which stays where it is. */
    zoom(factor, [x, y]) {
        const [width, height] = this.size;
        [x, y] = [x % width, y % height];
        const place = (across, down) => [
            (across - 0.5 * width) / height - this.view.pan[0],
            (0.5 * height - down) / height - this.view.pan[1],
        ];
        this.change(enlarged(this.view, factor, [place(x, y), place(0, height), place(width, 0)], this.unzoomedPan));
    }

    down(event) {
        this.canvas.setPointerCapture(event.pointerId);
        this.dragged = this.pointers.size > 0;
        this.pressed = this.place(event);
        this.about = this.turnsAbout();
        this.pointers.set(event.pointerId, this.pressed);
        this.panning = event.button !== 0 || event.shiftKey;
        this.point(null);
    }

    move(event) {
        const [before, now] = [this.pointers.get(event.pointerId), this.place(event)];
        if (before === undefined) {
            if (event.pointerType === "mouse") this.point(now);
            return;
        }
        this.dragged ||= norm(subtract(now, this.pressed)) > STILL;
        const [, height] = this.size, [dx, dy] = [now[0] - before[0], before[1] - now[1]];
        if (this.pointers.size === 2) {
            const [[, other]] = [...this.pointers].filter(([id]) => id !== event.pointerId);
            const apart = (at) => Math.max(norm(subtract(at, other)), 1);
            this.change(panned(this.view, dx / 2, dy / 2, height)); // the middle of two fingers moves half as far as one
            this.zoom(apart(now) / apart(before), mixed(now, other, 0.5));
        } else if (this.pointers.size === 1 && this.dragged) {
            this.change((this.panning || event.shiftKey ? panned : orbited)(this.view, dx, dy, height, this.about));
        }
        this.pointers.set(event.pointerId, now);
    }

    up(event) {
        this.pointers.delete(event.pointerId);
        if (this.dragged || event.type === "pointercancel" || event.button !== 0) return;
        const [now, { time, at }] = [this.place(event), this.lastTap];
        if (event.timeStamp - time < DOUBLE_TAP && norm(subtract(now, at)) < 4 * STILL) {
            this.goHome();
            this.lastTap = { time: -Infinity, at };
        } else {
            this.lastTap = { time: event.timeStamp, at: now };
            this.tap(now);
        }
    }

    key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const [width, height] = this.size;
        const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        const notches = { PageUp: 1, PageDown: -1 }[event.key];
        if (turn === undefined && notches === undefined) return;
        event.preventDefault();
        if (turn) {
            const [dx, dy] = scaled(turn, KEY_TURN);
            this.change((event.shiftKey ? panned : orbited)(this.view, dx, dy, height, this.turnsAbout()));
        } else {
            this.zoom(NOTCH ** notches, [width / 2, height / 2]);
        }
    }

    /** Begin to glide to the first view; somebody who wants less motion is there at once. */
    goHome() {
        const { azimuthDeg, polarAngleDeg, zoom, pan } = this.home;
        const end = { ...this.view, azimuthDeg, polarAngleDeg, zoom, pan };
        const hurry = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.change(hurry ? end : this.view);
        if (!hurry) this.glide = { start: this.view, end, began: null };
    }

    /** Glide on to the time `now` [ms] of a picture; returns whether the view has changed. */
    follow(now) {
        if (this.glide === null) return false;
        this.glide.began ??= now;
        const share = (now - this.glide.began) / 1000 / GLIDE_SECONDS;
        this.view = viewBetween(this.glide.start, this.glide.end, share);
        if (share >= 1) this.glide = null;
        return true;
    }
}
