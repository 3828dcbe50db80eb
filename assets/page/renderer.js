// Draws a frame, as viewer/render/renderer.py does: every eye's passes in their order, then the mixing of the eyes.
import { Meshes } from "./mesh.js";
import { Program, Rows, makeDepth, makeTarget, useTexture } from "./gl.js";
import { CASING, Curves, Labels, Shells, Solids, Strokes } from "./passes.js";
import { drawPlane, eyeBlock, strokeRows, tickRows } from "./passes.js";

/** Draws frames into the canvas of a WebGL 2 context; `atlas`: its header and, as `field`, its bytes. */
export class Renderer {
    constructor(gl, { shaders, hulls, boxEdges }, atlas) {
        Object.assign(this, { gl, shaders, boxEdges, programs: new Map(), targets: [], eye: gl.createBuffer() });
        const uploaded = ([kind, triangles]) => [kind, new Rows(gl, 3).write(triangles)];
        this.hulls = Object.fromEntries(Object.entries(hulls).map(uploaded));
        for (const name of ["polhodeTicks", "trailTicks", "strokes", "overlayStrokes"]) this[name] = new Strokes(this);
        for (const name of ["arrows", "frontArrows"]) this[name] = new Strokes(this, true);
        const parts = { curves: new Curves(this), solids: new Solids(this), shells: new Shells(this) };
        Object.assign(this, parts, { meshes: new Meshes(this), labels: new Labels(this, atlas) });
    }

    /** The program of two shaders with these constants, compiled when it first draws. */
    program(vertex, fragment, constants = {}) {
        const key = [vertex, fragment, ...Object.entries(constants)].join(" ");
        const { gl, shaders, programs } = this;
        if (!programs.has(key)) programs.set(key, new Program(gl, shaders, vertex, fragment, constants));
        return programs.get(key);
    }

    /** Draws a frame of `frame.size` pixels into the canvas, or into a framebuffer of a headset. */
    draw(frame, framebuffer = null) {
        const { gl } = this, layer = frame.layers[0], [width, height] = frame.size;
        Object.assign(this, { layer, scene: layer.scene, scale: layer.pixelScale });
        this.lineFraction = frame.anaglyph ? 0.5 : 1;   // ghosting is worst on grid, sections and hidden lines
        this.saturation = frame.anaglyph ? 0.25 : 1;
        this.prepare();
        const targets = frame.anaglyph ? this.targetsOf(frame.size) : [{ framebuffer }];
        const each = layer.views.length / targets.length;
        [0, 1].forEach((number) => useTexture(gl, number, null));   // no target may be a texture that is read
        targets.forEach(({ framebuffer }, number) => {
            const views = layer.views.slice(each * number, each * (number + 1));
            this.framebuffer = framebuffer;
            gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
            gl.depthMask(true);
            gl.clearColor(0, 0, 0, 1);
            gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
            for (const view of views) this.drawEye(view);
        });
        if (!frame.anaglyph) return;
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        gl.disable(gl.BLEND);
        gl.disable(gl.DEPTH_TEST);
        targets.forEach(({ texture }, unit) => useTexture(gl, unit, texture));
        const { left, right, black } = frame.anaglyph;
        const eyes = { part_0: 0, part_1: 1, left_matrix: left, right_matrix: right, black };
        this.program("fullscreen.vert", "anaglyph.frag").use(eyes).draw(gl.TRIANGLES, 3);
    }

    targetsOf(size) {
        const { gl } = this;
        if (this.targets.length && String(size) === String(this.targetSize)) return this.targets;
        for (const target of this.targets) target.release();
        this.targetSize = size;
        const format = [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE];
        this.targets = [0, 1].map(() => makeTarget(gl, size, format, makeDepth(gl, size)));
        return this.targets;
    }

    prepare() {
        const { layer, scene } = this;
        const lines = ["arrows", "frontArrows", "strokes", "overlayStrokes"], ticks = ["polhodeTicks", "trailTicks"];
        for (const name of lines) this[name].rows.write(strokeRows(scene[name], layer));
        for (const name of ticks) this[name].rows.write(tickRows(scene[name], layer));
        this.curves.prepare();
    }

    /** Draws one eye's picture, from the back to the front. */
    drawEye(view) {
        const { gl, scene, layer, curves } = this, { theme, shell, solid } = scene, casing = CASING * this.scale;
        this.view = view;
        gl.viewport(...view.rectangle);
        this.drawBackground();
        gl.bindBuffer(gl.UNIFORM_BUFFER, this.eye);
        gl.bufferData(gl.UNIFORM_BUFFER, eyeBlock(layer, view), gl.DYNAMIC_DRAW);
        gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.eye);
        gl.enable(gl.BLEND);
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LEQUAL);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        const bodyFirst = !shell || !shell.holdsBody;
        if (bodyFirst) this.drawBody();
        gl.depthMask(false);
        if (!scene.planeInFront) {
            drawPlane(this);
            this.drawTrail();
        }
        if (!bodyFirst) this.drawBody();
        if (shell) bodyFirst ? this.shells.drawWithDepth(shell) : this.shells.drawBoth(shell);
        if (scene.sphere) this.shells.drawBoth(scene.sphere);
        if (scene.planeInFront) drawPlane(this);
        if (solid) this.drawHidden(casing);
        gl.depthMask(true);
        this.arrows.draw({ casing });
        gl.depthMask(false);
        gl.disable(gl.DEPTH_TEST);
        this.frontArrows.draw({ casing });
        gl.enable(gl.DEPTH_TEST);
        this.polhodeTicks.draw({ casing });   // before the polhode, or its casing would part it from them
        curves.drawCurves(false);
        scene.paths.forEach((path) => curves.drawTrail(path));
        this.polhodeTicks.draw();
        if (scene.planeInFront) this.drawTrail();
        curves.drawTrail(scene.centrePath);
        this.strokes.draw({ casing });
        curves.drawPoints();
        gl.disable(gl.DEPTH_TEST);
        this.overlayStrokes.draw();
        this.labels.draw();
        gl.depthMask(true);
    }

    drawBackground() {
        const { gl, view, scene: { theme } } = this, [left, low, width, height] = view.rectangle;
        gl.disable(gl.BLEND);
        gl.disable(gl.DEPTH_TEST);
        this.program("fullscreen.vert", "background.frag").use({
            top: theme.backgroundTop, bottom: theme.backgroundBottom, centre: theme.backgroundCentre,
            size: [width, height], aspect: view.shownSize[0] / view.shownSize[1], offset: [-left, -low],
        }).draw(gl.TRIANGLES, 3);
    }

    drawBody() {
        const { gl, scene: { solid } } = this;
        if (!solid) return;
        gl.depthMask(true);
        (solid.mesh ? this.meshes : this.solids).draw();
        gl.depthMask(false);
    }

    drawTrail() {
        this.curves.drawTrail(this.scene.trail);
        this.trailTicks.draw();
    }

    /** Draws what the body hides, dashed. */
    drawHidden(casing) {
        const { gl, scene, curves } = this;
        gl.depthFunc(gl.GREATER);
        curves.drawCurves(true, scene.theme.dark ? 1 : this.lineFraction);   // on a light ground each eye sees both
        scene.paths.forEach((path) => curves.drawTrail(path, true));
        this.polhodeTicks.draw({ opacity: 0.4 });
        this.arrows.draw({ xray: true, casing });
        gl.depthFunc(gl.LEQUAL);
    }
}
