// A headset: two eyes at its own poses with its own projections, and the figure on a table, turned and scaled by hand.

import { K, radians } from "./camera.js";
import { add, clamped, cross, dot, fromColumnMajor, norm, product, quaternionAbout } from "./linear.js";
import { quaternionProduct, rigid, rotationOf, scaled, subtract, times, transposed, unit } from "./linear.js";

const TABLE = [0, 1, -1.2]; // m: its middle, right, up and back from the place on the floor where the headset is put on
const SIZE = 1; // m: the figure's height or width at first, whichever is larger
const SIZES = [0.1, 10]; // m
const DRAG = 4; // rad: turn by a hand that moves one metre
const STICK = { turn: 1.5, growth: 2 }; // rad, and factor of the size, in a second
const DEPTHS = [0.05, 100]; // m: nearest and farthest that is drawn
const LINES = 1000; // lines of a picture that has the usual widths of lines and letters

/** The figure in a headset; `page` has the renderer, the clock, the view and the controls. */
export class Headset {
    constructor(page) {
        Object.assign(this, { page, session: null });
    }

    /** Show the button where there is a headset. */
    async offer() {
        const found = await navigator.xr?.isSessionSupported("immersive-vr").catch(() => false);
        this.page.controls.buttons.headset.hidden = !found;
    }

    /** Enter the headset, or leave it. */
    press() {
        if (this.session) this.session.end();
        else this.enter();
    }

    /** Draw in the headset from now on, until the session ends. */
    async enter() {
        const { page } = this;
        try {
            const { gl } = page.renderer;
            const session = await navigator.xr.requestSession("immersive-vr", { requiredFeatures: ["local-floor"] });
            await gl.makeXRCompatible();
            const baseLayer = new XRWebGLLayer(session, gl, { antialias: false });
            session.updateRenderState({ baseLayer, depthNear: DEPTHS[0], depthFar: DEPTHS[1] });
            const space = await session.requestReferenceSpace("local-floor");
            Object.assign(this, { session, space, turn: [1, 0, 0, 0], size: SIZE, height: this.measured() });
            Object.assign(this, { before: null, nearest: null, hands: new Map() });
        } catch {
            page.controls.say(page.data.words.headsetRefused);
            return;
        }
        for (const [name, act] of [["start", "set"], ["end", "delete"]]) {
            for (const button of ["select", "squeeze"]) {
                this.session.addEventListener(button + name, ({ inputSource }) => this.hands[act](inputSource, null));
            }
        }
        this.session.addEventListener("end", () => {
            this.session = page.before = null;
            page.change();
        });
        this.session.requestAnimationFrame((now, frame) => this.tick(now, frame));
    }

    tick(now, frame) {
        const { page, session, space } = this, { baseLayer } = session.renderState;
        session.requestAnimationFrame((later, next) => this.tick(later, next));
        const seconds = this.before === null ? 0 : (now - this.before) / 1000;
        this.before = now;
        page.transport.advance(seconds);
        const pose = frame.getViewerPose(space);
        if (!pose || !page.renderer) return;
        this.handle(pose, (source) => frame.getPose(source.gripSpace ?? source.targetRaySpace, space), seconds);
        page.renderer.draw(this.frameOf(pose, baseLayer), baseLayer.framebuffer);
    }

    /** The middle of the figure in the room, m; below it is the table. */
    get middle() {
        return add(TABLE, [0, 0.5 * this.size, 0]);
    }

    /** Turn and scale by the thumbsticks, by one hand that holds a button, and by both. */
    handle(pose, poseOf, seconds) {
        const up = [0, 1, 0], [x, , z] = subtract(this.middle, positionOf(pose)), right = cross(unit([x, 0, z]), up);
        const turnBy = (axis, angle) => (this.turn = unit(quaternionProduct(quaternionAbout(axis, angle), this.turn)));
        const growBy = (factor) => (this.size = clamped(this.size * factor, ...SIZES));
        for (const { gamepad } of this.session.inputSources) {
            const [across = 0, down = 0] = gamepad?.axes.slice(-2) ?? [];
            turnBy(up, STICK.turn * seconds * across);
            growBy(STICK.growth ** (-seconds * down));
        }
        const before = [...this.hands.values()];
        for (const source of this.hands.keys()) {
            const found = poseOf(source);
            this.hands.set(source, found && positionOf(found));
        }
        const now = [...this.hands.values()];
        if (!now.length || [...before, ...now].includes(null)) return;
        if (now.length > 1) {
            growBy(norm(subtract(now[0], now[1])) / Math.max(norm(subtract(before[0], before[1])), 0.01));
        } else {
            const moved = subtract(now[0], before[0]);
            turnBy(up, DRAG * dot(moved, right));
            turnBy(right, -DRAG * moved[1]);
        }
    }

    /** The page's view, of one eye, without the corner of the picture and what was moved in it. */
    get plain() {
        const { view } = this.page, { stereo, show } = view;
        const own = { zoom: 1, pan: [0, 0], stereo: { ...stereo, mode: "mono" }, show: { ...show, spaceAxes: false } };
        return { ...view, ...own };
    }

    /** The height of the figure in its own metres; from far away, so that nothing of it is larger than the rest. */
    measured() {
        const { camera } = this.page.frameFor({ size: [400, 400] }, { ...this.plain, fieldOfViewDeg: 1 }).layers[0];
        return (2 * camera.distance * Math.tan(0.5 * camera.fieldOfView)) / K.framing.FIT_MARGIN;
    }

    /** The frame whose views are the headset's eyes; names and lines are laid out as seen from between them. */
    frameOf(pose, layer) {
        const { page, middle } = this, azimuth = radians(page.view.azimuthDeg);
        const [sine, cosine] = [Math.sin(azimuth), Math.cos(azimuth)];
        const roomFromFrame = product(rotationOf(this.turn), [[-sine, cosine, 0], [0, 0, 1], [cosine, sine, 0]]);
        const seen = times(transposed(roomFromFrame), subtract(positionOf(pose), middle)), away = norm(seen);
        const polar = clamped(Math.acos(seen[2] / away), 0.02, Math.PI - 0.02), around = Math.atan2(seen[1], seen[0]);
        const eyes = pose.views.map((eye) => {
            const { x, y, width, height } = layer.getViewport(eye);
            const [clip, fromRoom] = [eye.projectionMatrix, eye.transform.inverse.matrix].map(fromColumnMajor);
            return { eye, clip, fromRoom, rectangle: [x, y, width, height] };
        });
        const { clip, rectangle } = eyes[0], size = rectangle.slice(2), scale = this.size / this.height;
        const zoom = this.nearest ? this.nearest / Math.max(away / scale, this.nearest) : 1; // as far away as the head
        const frame = page.frameFor({ size, pixelScale: size[1] / LINES }, {
            ...this.plain, polarAngleDeg: degrees(polar), azimuthDeg: degrees(around), zoom,
            fieldOfViewDeg: degrees(2 * Math.atan(1 / clip[1][1])),
        });
        const drawn = frame.layers[0], { camera } = drawn;
        this.nearest = camera.distance * zoom;
        const [st, ct, sp, cp] = [Math.sin(polar), Math.cos(polar), Math.sin(around), Math.cos(around)];
        const up = add(scaled(camera.backward, ct), scaled(camera.up, st));
        const out = subtract(scaled(camera.backward, st), scaled(camera.up, ct));
        const frameFromWorld = product([[cp, -sp, 0], [sp, cp, 0], [0, 0, 1]], [out, camera.right, up]);
        const roomFromWorld = product(roomFromFrame, frameFromWorld);
        const target = subtract(camera.position, scaled(camera.backward, camera.distance));
        const worldFromRoom = transposed(roomFromWorld);
        const inWorld = (place) => add(target, scaled(times(worldFromRoom, subtract(place, middle)), 1 / scale));
        const placed = rigid(roomFromWorld, subtract(scaled(middle, 1 / scale), times(roomFromWorld, target)));
        const smaller = (matrix) => matrix.map((row) => [...row.slice(0, 3), row[3] / scale]); // in the figure's m
        drawn.views = eyes.map(({ eye, clip, fromRoom, rectangle }) => ({
            clipFromWorld: product(smaller(clip), product([...smaller(fromRoom.slice(0, 3)), fromRoom[3]], placed)),
            position: inWorld(positionOf(eye)), rectangle, shownSize: rectangle.slice(2),
        }));
        return frame;
    }
}

const degrees = (angle) => (angle * 180) / Math.PI;

function positionOf({ transform: { position: { x, y, z } } }) {
    return [x, y, z];
}
