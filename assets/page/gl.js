// WebGL 2 as the passes use it: programs from the sources of `shaders/`, rows that are drawn as instances, textures.

const EYE_BINDING = 0;
const FLOATS = { 0x1406: 1, 0x8B50: 2, 0x8B51: 3, 0x8B52: 4 };   // of a uniform's type

/** The source of the shader `name` with its includes, each once; `constants` replace `#define` lines of that name. */
export function shaderSource(shaders, name, constants = {}) {
    const put = new Set();
    const expanded = (file) => {
        put.add(file);
        return shaders[file].replace(/^#include "(.*)"$/gm, (_, other) => put.has(other) ? "" : expanded(other));
    };
    return expanded(name).replace(/^#define (\w+) .*$/gm, (line, defined) =>
        defined in constants ? `#define ${defined} ${constants[defined]}` : line);
}

/** A program of two shaders, with uniforms that are set by name. */
export class Program {
    constructor(gl, shaders, vertex, fragment, constants = {}) {
        this.gl = gl;
        this.program = gl.createProgram();
        for (const [kind, name, own] of [[gl.VERTEX_SHADER, vertex, {}], [gl.FRAGMENT_SHADER, fragment, constants]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, shaderSource(shaders, name, own));
            gl.compileShader(shader);
            gl.attachShader(this.program, shader);
            gl.deleteShader(shader);
        }
        gl.linkProgram(this.program);
        if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) {
            const logs = gl.getAttachedShaders(this.program).map((shader) => gl.getShaderInfoLog(shader));
            throw new Error(`${vertex}, ${fragment}: ${[...logs, gl.getProgramInfoLog(this.program)].join("\n")}`);
        }
        const eye = gl.getUniformBlockIndex(this.program, "Eye");
        if (eye !== gl.INVALID_INDEX) gl.uniformBlockBinding(this.program, eye, EYE_BINDING);
        this.uniforms = new Map();
        for (let i = 0; i < gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS); i++) {
            const { name, type } = gl.getActiveUniform(this.program, i);
            const place = gl.getUniformLocation(this.program, name);
            if (place) this.uniforms.set(name.replace("[0]", ""), { type, place });
        }
    }

    /** Makes it the program that draws, with these uniforms: numbers, arrays, matrices as rows. */
    use(values = {}) {
        const gl = this.gl;
        gl.useProgram(this.program);
        for (const [name, value] of Object.entries(values)) {
            const uniform = this.uniforms.get(name);
            if (!uniform) continue;
            const { type, place } = uniform;
            if (type === gl.FLOAT_MAT3) gl.uniformMatrix3fv(place, true, value.flat());
            else if (type in FLOATS) gl[`uniform${FLOATS[type]}fv`](place, [value].flat(Infinity));
            else gl.uniform1i(place, Number(value));
        }
        return this;
    }

    /** Draws vertices that the shader computes from their numbers alone. */
    draw(mode, vertices) {
        this.gl.bindVertexArray(null);
        this.gl.drawArrays(mode, 0, vertices);
    }
}

/** Vertices or, with `step` 1, instances: rows of `floats` numbers; a field of a row is [name, numbers, offset]. */
export class Rows {
    constructor(gl, floats, { step = 0, integers = false } = {}) {
        Object.assign(this, { gl, floats, step, integers, count: 0, arrays: new Map(), buffer: gl.createBuffer() });
    }

    /** Replaces all rows; `data`: numbers, row by row. */
    write(data) {
        const gl = this.gl;
        this.count = data.length / this.floats;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        const typed = this.integers ? Int32Array : Float32Array;
        gl.bufferData(gl.ARRAY_BUFFER, data instanceof typed ? data : new typed(data), gl.DYNAMIC_DRAW);
        return this;
    }

    /** Binds the rows to the inputs of a program. */
    bind(program, fields) {
        const gl = this.gl;
        if (!this.arrays.has(program)) {
            this.arrays.set(program, gl.createVertexArray());
            gl.bindVertexArray(this.arrays.get(program));
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
            for (const [name, numbers, offset] of fields) {
                const place = gl.getAttribLocation(program.program, name);
                if (place < 0) continue;
                gl.enableVertexAttribArray(place);
                gl.vertexAttribDivisor(place, this.step);
                if (this.integers) gl.vertexAttribIPointer(place, numbers, gl.INT, 4 * this.floats, 4 * offset);
                else gl.vertexAttribPointer(place, numbers, gl.FLOAT, false, 4 * this.floats, 4 * offset);
            }
        }
        gl.bindVertexArray(this.arrays.get(program));
    }

    /** Draws every row as a quad of its own. */
    drawQuads(program, fields) {
        if (!this.count) return;
        this.bind(program, fields);
        this.gl.drawArraysInstanced(this.gl.TRIANGLE_STRIP, 0, 4, this.count);
    }
}

/** A texture without interpolation; `format`: [internal format, format, type], `data`: its pixels or null. */
export function makeTexture(gl, [width, height], [internal, format, type], data = null, filter = gl.NEAREST) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, data);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, filter);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    return texture;
}

/** A framebuffer with a texture for its colours and, where it is given, another one for its depth. */
export function makeTarget(gl, size, format, depth = null) {
    const texture = makeTexture(gl, size, format), framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    if (depth) gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depth, 0);
    const release = () => {
        gl.deleteFramebuffer(framebuffer);
        for (const kept of [texture, depth]) gl.deleteTexture(kept);
    };
    return { framebuffer, texture, release };
}

/** A texture for depths. */
export function makeDepth(gl, size) {
    return makeTexture(gl, size, [gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT]);
}

/** Makes a texture the one of a unit. */
export function useTexture(gl, unit, texture) {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
}
