// SPDX-License-Identifier: MIT
//
// Where everything is at a given time: poses of bodies and states of joints with play, from the frames of a result.
//
// A pose is a place p and Euler parameters e = [e0, e1, e2, e3], the scalar first, that turn body axes into ground
// axes; the plane is the special case z = 0, e = [cos θ/2, 0, 0, sin θ/2]. Between two frames places and angles are
// interpolated by cubics, so that what turns far meanwhile stays on its circle; at a frame they are the recorded values.
// Forces are not interpolated: an impact may be shorter than a frame, and each frame holds the row with the largest force
// within it.
import {indexAt} from './data.js';
import {PICTURES, listPlays} from './plays.js';

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (s, a) => [s * a[0], s * a[1], s * a[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a, otherwise = [1, 0, 0]) => (norm(a) > 0 ? scale(1 / norm(a), a) : otherwise);
export const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];
/** The turn q after the turn p. */
export const compose = (q, p) => {
  const [a, b] = [
    [q[1], q[2], q[3]],
    [p[1], p[2], p[3]],
  ];
  return [q[0] * p[0] - dot(a, b), ...add(add(scale(q[0], b), scale(p[0], a)), cross(a, b))];
};

/** A vector of a body in ground axes: a + 2 e0 (v × a) + 2 v × (v × a). */
export function turn(e, a) {
  const v = [e[1], e[2], e[3]],
    w = cross(v, a);
  return add(a, add(scale(2 * e[0], w), scale(2, cross(v, w))));
}

export const place = (pose, at) => add(pose.p, turn(pose.e, at));

const lerp = (a, b, f) => a + f * (b - a);

const NEAR = 0.25; // of an interval: closer neighbours tell its slopes badly, since values are rounded

/** Between the frames k and k + 1, at the fraction f: Hermite's cubic, with the recorded rates, or else the slopes of
 * parabolas through neighbours. */
function smooth(time, k, f, value, rate) {
  const from = value(k),
    h = time[k + 1] - time[k];
  if (!(f > 0 && h > 0)) return from;
  const way = value(k + 1) - from;
  let a, b; // slopes times h
  if (rate) [a, b] = [h * rate(k), h * rate(k + 1)];
  else {
    let i = k - 1,
      j = k + 2;
    while (i >= 0 && time[k] - time[i] < NEAR * h) i--;
    while (j < time.length && time[j] - time[k + 1] < NEAR * h) j++;
    const slope = (end, n) => {
      const beyond = Math.abs(time[end] - time[n]),
        there = ((value(end) - value(n)) * h) / (time[end] - time[n]);
      return (h * there + beyond * way) / (h + beyond);
    };
    if (i >= 0) a = slope(k, i);
    if (j < time.length) b = slope(k + 1, j);
    a ??= b === undefined ? way : 2 * way - b;
    b ??= 2 * way - a;
  }
  return from + f * (a + f * (3 * way - 2 * a - b + f * (a + b - 2 * way)));
}

/** The pose of a body; `rates`: a table with its velocities at the same times, if there is one. */
function bodyReader(body, frames, rates) {
  const column = (quantity, table = frames) => table?.get(`${body.name}.${quantity}`),
    [x, y, z, angle] = ['x', 'y', 'z', 'angle'].map((q) => column(q)),
    [vx, vy, vz, ...w] = ['vx', 'vy', 'vz', 'wx', 'wy', 'wz'].map((q) => column(q, rates)),
    e = [0, 1, 2, 3].map((i) => column(`e${i}`));
  const at = (values, k, f, its) => smooth(frames.time, k, f, (i) => values[i], its && ((i) => its[i]));
  if (x && y && angle)
    return (k, f) => {
      const half = at(angle, k, f, w[2]) / 2;
      return {
        p: [at(x, k, f, vx), at(y, k, f, vy), 0],
        e: [Math.cos(half), 0, 0, Math.sin(half)],
        angle: 2 * half,
      };
    };
  if (x && y && z && e.every(Boolean))
    return (k, f) => {
      // e and −e are the same rotation: the shorter path is taken. Its rate is ω e / 2.
      const sign = (i) => (e.reduce((sum, c) => sum + c[k] * c[i], 0) < 0 ? -1 : 1),
        turning = (i) => compose([0, ...w.map((c) => c[i])], e.map((c) => c[i])),
        spins = w.every(Boolean);
      const mixed = e.map((c, n) => smooth(frames.time, k, f, (i) => sign(i) * c[i], spins && ((i) => (sign(i) * turning(i)[n]) / 2)));
      const length = f === 0 ? 1 : Math.hypot(...mixed) || 1;
      return {p: [at(x, k, f, vx), at(y, k, f, vy), at(z, k, f, vz)], e: mixed.map((c) => c / length)};
    };
  return null;
}

/** Numbers, or lists of them, between two frames. */
const between = (a, b, f) => (Array.isArray(a) ? a.map((x, i) => between(x, b[i], f)) : lerp(a, b, f));

export class Motion {
  constructor(result) {
    const {scene, frames, plot} = result,
      same = frames && plot.count === frames.count && plot.time.every((t, k) => t === frames.time[k]);
    this.frames = frames;
    this.begin = result.begin; // s, before which is the transient
    this.events = result.events;
    this.everyEvent = result.events.length === result.eventTotal;
    this.start = frames ? frames.time[0] : 0;
    this.end = frames ? frames.time[frames.count - 1] : 0;
    this.still = scene.bodies.map((b) => ({p: b.position, e: b.orientation}));
    this.bodies = scene.bodies.map((b) => bodyReader(b, frames, same ? plot : null));
    this.plays = listPlays(scene);
    this.readers = this.plays.map((play) =>
      PICTURES[play.drawn].read(play, (quantity) => frames?.get(`${scene.joints[play.joint].name}.${quantity}`)),
    );
    this.unknown = scene.bodies.filter((b, i) => i > 0 && !this.bodies[i]).map((b) => b.name);
    this.moves = Boolean(frames) && frames.count > 1 && this.bodies.some(Boolean);
  }
  /** Frame and fraction of a time. */
  find(t) {
    if (!this.frames) return [0, 0];
    const times = this.frames.time,
      k = indexAt(times, t);
    const step = k + 1 < times.length ? times[k + 1] - times[k] : 0;
    return [k, step > 0 ? Math.min(1, Math.max(0, (t - times[k]) / step)) : 0];
  }
  poses(t) {
    const [k, f] = this.find(t);
    return this.bodies.map((read, i) => (read ? read(k, f) : this.still[i]));
  }
  /** The state of a play, or null where it was not recorded. */
  play(index, t) {
    const [k, f] = this.find(t),
      read = this.readers[index];
    if (!read) return null;
    const now = read(k),
      next = read(Math.min(k + 1, this.frames.count - 1));
    for (const name of PICTURES[this.plays[index].drawn].moves)
      now[name] = between(now[name], next[name], f);
    return now;
  }
}
