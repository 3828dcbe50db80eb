// The clock of a page: how the time of its motion follows real time, at which speed, forwards or backwards.

import { unitOf } from "./camera.js";
import { clamped } from "./linear.js";

const PERIOD_ON_SCREEN = [6, 10]; // s: the automatic speed shows one period within this time
const STAYS_ON_SCREEN = [4, 15]; // s: while a period takes this long, the speed is kept, so that its changes are seen
const ROUND_SPEEDS = [1, 1.5, 2, 3, 5, 7]; // times a power of ten: the speeds that are offered
const SPEED_LIMITS = [1e-6, 1e10];
const TURN_A_SECOND = (60 * Math.PI) / 4; // rad: a body that turns faster on the screen seems to turn slowly, or back
const LONGEST_FRAME = 0.25; // s of real time; a longer pause counts as this
const TRACK_SECONDS = 10; // s of real time that the track of a free motion has at first

/** The round speeds in the decades around a speed, ascending. */
export function speedsAround(speed) {
    const decade = Math.floor(Math.log10(speed));
    return [decade - 1, decade, decade + 1].flatMap((power) =>
        ROUND_SPEEDS.map((figure) => (power >= 0 ? figure * 10 ** power : figure / 10 ** -power)));
}

/** The next round speed above (by = 1) or below (by = -1) a speed. */
export function nextSpeed(speed, by) {
    const rounds = speedsAround(speed);
    const next = by > 0 ? rounds.find((s) => s > speed * 1.001) : rounds.findLast((s) => s < speed * 0.999);
    return clamped(next, ...SPEED_LIMITS);
}

/**
 * The round speed that shows one period [s] in 6 to 10 s, and no body that turns at `rate` [rad/s] too fast for the eye;
 * 1 without a period (null). `now` is the present automatic speed or null; it is kept while it suits.
 */
export function automaticSpeed(period, now, rate) {
    const limit = Math.max(rate > 0 ? TURN_A_SECOND / rate : Infinity, SPEED_LIMITS[0]);
    const wanted = speedForPeriod(period, now);
    if (wanted <= limit) return wanted;
    if (now !== null && 0.5 * limit <= now && now <= limit) return now;
    return speedsAround(limit).findLast((speed) => speed <= limit);
}

function speedForPeriod(period, now) {
    if (!(period > 0 && period < Infinity)) return 1;
    if (now !== null && STAYS_ON_SCREEN[0] <= period / now && period / now <= STAYS_ON_SCREEN[1]) return now;
    const [low, high] = [period / PERIOD_ON_SCREEN[1], period / PERIOD_ON_SCREEN[0]];
    if (low <= 1 && 1 <= high) return 1;
    const middle = clamped(Math.sqrt(low) * Math.sqrt(high), ...SPEED_LIMITS);
    const off = (speed) => Math.abs(Math.log10(speed / middle));
    const best = speedsAround(middle).reduce((a, b) => (off(b) < off(a) ? b : a));
    return clamped(best, ...SPEED_LIMITS);
}

/** How a clock of a span [s] shows times: the name of their `unit`, and the `text` of a time [s]. */
export function clockOf(span) {
    const { name: unit, size } = unitOf("s", span), there = span / size;
    const decimals = there < 1 ? 3 : there < 1000 ? 2 : there < 1e5 ? 1 : 0;
    return { unit, text: (time) => (time / size).toFixed(decimals).replace("-", "−") };
}

/** The clock that runs a motion; `ownSpeed` is the speed that somebody has set, null while it is automatic. */
export class Transport {
    constructor(motion, { speed, autoSpeed }, playing) {
        this.ownSpeed = autoSpeed ? null : speed;
        this.automatic = speed;
        this.playing = playing;
        this.begin(motion);
    }

    /** Play another motion from t = 0 on, forwards. */
    begin(motion) {
        this.motion = motion;
        this.time = 0;
        this.backwards = this.held = false;
        if (motion.period !== null) this.automatic = automaticSpeed(motion.period, this.automatic, motion.largestRate);
        [this.first, this.last] = [0, motion.until ?? TRACK_SECONDS * this.speed];
    }

    /** The speed [s/s] at which the clock runs. */
    get speed() {
        return this.ownSpeed ?? this.automatic;
    }

    /** Whether time goes on by itself; it stands still while the track is dragged. */
    get moving() {
        return this.playing && !this.held;
    }

    /** Run forwards (1) or backwards (-1); if that is the clock's direction already, play or pause. */
    press(sign) {
        this.playing = this.backwards === sign < 0 ? !this.playing : true;
        this.backwards = sign < 0;
        if (this.playing && this.isOver) this.time = this.backwards ? this.last : this.first;
    }

    /** Where the time lies on the track, 0..1. */
    get share() {
        return (this.time - this.first) / (this.last - this.first);
    }

    /** Go to a time [s]; the track of a free motion grows with it. */
    seek(time) {
        this.time = this.ends ? clamped(time, this.first, this.last) : time;
        this.first = Math.min(this.first, this.time);
        this.last = Math.max(this.last, this.time);
    }

    /** Let the clock run on by `seconds` of real time; a motion that ends pauses there. Returns whether time moved. */
    advance(seconds) {
        if (!this.moving || !(seconds > 0)) return false;
        this.seek(this.time + Math.min(seconds, LONGEST_FRAME) * this.speed * (this.backwards ? -1 : 1));
        if (this.isOver) this.playing = false;
        return true;
    }

    /** Whether the motion is known for a limited time only. */
    get ends() {
        return this.motion.until !== null;
    }

    /** Whether the clock has come to the end of such a motion. */
    get isOver() {
        return this.ends && this.time === (this.backwards ? this.first : this.last);
    }
}
