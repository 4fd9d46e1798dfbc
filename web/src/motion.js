// SPDX-License-Identifier: MIT
//
// Where everything is at a time: poses of bodies and what goes on in joints with play, from the frames of a result.
//
// A pose is a place p and Euler parameters e = [e0, e1, e2, e3], the scalar first, that turn body axes into ground
// axes; the plane is the special case z = 0, e = [cos θ/2, 0, 0, sin θ/2]. Between two frames places and angles are
// interpolated; at a frame they are the recorded values. Forces are not interpolated: an impact may be shorter than
// a frame, and each frame holds the row with the largest force within it.
import {indexAt} from './data.js';

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (s, a) => [s * a[0], s * a[1], s * a[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a, otherwise = [1, 0, 0]) => (norm(a) > 0 ? scale(1 / norm(a), a) : otherwise);

/** A vector of a body in ground axes: a + 2 e0 (v × a) + 2 v × (v × a). */
export function turn(e, a) {
  const v = [e[1], e[2], e[3]],
    w = cross(v, a);
  return add(a, add(scale(2 * e[0], w), scale(2, cross(v, w))));
}

export const place = (pose, at) => add(pose.p, turn(pose.e, at));

const lerp = (a, b, f) => a + f * (b - a);

function bodyReader(body, frames) {
  const column = (quantity) => frames?.get(`${body.name}.${quantity}`);
  const x = column('x'),
    y = column('y'),
    z = column('z'),
    angle = column('angle');
  const e = [0, 1, 2, 3].map((i) => column(`e${i}`));
  if (x && y && angle)
    return (k, f) => {
      const half = lerp(angle[k], angle[k + 1] ?? angle[k], f) / 2;
      return {
        p: [lerp(x[k], x[k + 1] ?? x[k], f), lerp(y[k], y[k + 1] ?? y[k], f), 0],
        e: [Math.cos(half), 0, 0, Math.sin(half)],
        angle: 2 * half,
      };
    };
  if (x && y && z && e.every(Boolean))
    return (k, f) => {
      const n = k + 1 < x.length ? k + 1 : k;
      // e and −e are the same turn: the shorter way is taken.
      const sign = e.reduce((sum, c) => sum + c[k] * c[n], 0) < 0 ? -1 : 1;
      const mixed = e.map((c) => lerp(c[k], sign * c[n], f));
      const length = f === 0 ? 1 : Math.hypot(...mixed) || 1;
      return {p: [lerp(x[k], x[n], f), lerp(y[k], y[n], f), lerp(z[k], z[n], f)], e: mixed.map((c) => c / length)};
    };
  return null;
}

function playReader(joint, frames) {
  const column = (quantity) => frames?.get(`${joint.name}.${quantity}`);
  const get = (values, k) => (values ? values[k] : 0);
  const [ex, ey, ez, fx, fy, fz, fn, mode, film] = ['ex', 'ey', 'ez', 'fx', 'fy', 'fz', 'fn', 'mode', 'film'].map(
    column,
  );
  if (!ex || !ey) return null;
  // A long bearing in space touches at either end.
  const ends = ['end1', 'end2']
    .map((end) => ['ex', 'ey', 'ez', 'mode'].map((q) => column(`${end}.${q}`)))
    .filter((c) => c[0] && c[1]);
  const modeAt = (k) => (ends.length ? Math.max(...ends.map((c) => get(c[3], k))) : get(mode, k));
  return (k) => ({
    ends: ends.map((c) => [c[0][k], c[1][k], get(c[2], k)]),
    e: [ex[k], ey[k], get(ez, k)],
    force: [get(fx, k), get(fy, k), get(fz, k)],
    fn: fn ? fn[k] : Math.hypot(get(fx, k), get(fy, k), get(fz, k)),
    mode: modeAt(k),
    film: film ? film[k] : null,
  });
}

export class Motion {
  constructor(result) {
    const {scene, frames} = result;
    this.frames = frames;
    this.start = frames ? frames.time[0] : 0;
    this.end = frames ? frames.time[frames.count - 1] : 0;
    this.still = scene.bodies.map((b) => ({p: b.position, e: b.orientation}));
    this.bodies = scene.bodies.map((b) => bodyReader(b, frames));
    this.plays = scene.joints.map((j) => (j.clearance ? playReader(j, frames) : null));
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
  /** What a joint with play does, or null where it was not recorded. */
  play(joint, t) {
    const [k, f] = this.find(t),
      read = this.plays[joint];
    if (!read) return null;
    const now = read(k),
      next = read(Math.min(k + 1, this.frames.count - 1));
    return {...now, e: now.e.map((x, i) => lerp(x, next.e[i], f))};
  }
}
