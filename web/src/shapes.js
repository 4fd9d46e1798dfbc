// SPDX-License-Identifier: MIT
//
// What a machine looks like. Bodies get parts in their own axes: from `shape:` in the model, else links between the
// points where something is attached, or from the only one to the mass, boxes where they slide, discs where they mesh.
// The animation (view.js) and the drawing (drawing.js) are both made from these parts.
//
//   {kind: 'link', from, to, width}             from, to: indices of the body's anchors
//   {kind: 'box', at, size, along, up}          along: direction of the first edge; up: of the second, or any
//   {kind: 'cylinder', at, radius, length, axis, teeth}
//   {kind: 'sphere', at, radius}
//
// mass: it stands for a body that has no shape of its own
import {add, conjugate, cross, dot, norm, place, scale, sub, turn, unit} from './motion.js';
import {PICTURES} from './plays.js';
import {SERIES} from './dom.js';

const LINK = 0.035; // width of a link, as a share of the machine's size
const MASS = 0.04; // radius of what shows a mass, likewise
const SLIDER = [0.13, 0.085, 0.085]; // edges of a sliding block, likewise
const FIT_FRAMES = 240; // frames looked at to find how much room the machine needs

const same = (a, b, tolerance) => norm(sub(a, b)) <= tolerance;

/** Points of each body where joints and springs are attached, and those it names. */
function anchors(scene, tolerance) {
  const of = scene.bodies.map(() => []);
  const put = (body, at) => {
    const found = of[body].findIndex((a) => same(a, at, tolerance));
    if (found >= 0) return found;
    of[body].push(at);
    return of[body].length - 1;
  };
  const ends = scene.joints.map((j) => [put(j.body[0], j.at[0]), put(j.body[1], j.at[1])]);
  for (const p of scene.points) put(p.body, p.at);
  return {of, ends};
}

/** Index pairs that connect points: a chain where they are in line, else around. */
function connect(points) {
  if (points.length < 2) return [];
  let a = 0,
    b = 1;
  points.forEach((p, i) =>
    points.forEach((q, k) => {
      if (norm(sub(p, q)) > norm(sub(points[a], points[b]))) [a, b] = [i, k];
    }),
  );
  const u = unit(sub(points[b], points[a])),
    origin = points[a];
  const along = points.map((p) => dot(sub(p, origin), u));
  const beside = points.map((p, i) => sub(sub(p, origin), scale(along[i], u)));
  const widest = beside.reduce((best, x) => (norm(x) > norm(best) ? x : best), [0, 0, 0]);
  const length = norm(sub(points[b], points[a]));
  const order = points.map((_, i) => i);
  if (norm(widest) < 0.02 * length) {
    order.sort((i, k) => along[i] - along[k]);
    return order.slice(1).map((i, n) => [order[n], i]);
  }
  const h = unit(widest),
    middle = scale(1 / points.length, points.reduce(add));
  const angle = (p) => Math.atan2(dot(sub(p, middle), h), dot(sub(p, middle), u));
  order.sort((i, k) => angle(points[i]) - angle(points[k]));
  return order.map((i, n) => [i, order[(n + 1) % order.length]]);
}

function givenParts(shape, anchorsOfBody, size) {
  const parts = [],
    thick = SLIDER[2] * size;
  if (shape.cylinder)
    parts.push({
      kind: 'cylinder',
      at: shape.cylinder.at,
      radius: shape.cylinder.radius,
      length: shape.cylinder.length ?? thick / 2,
      axis: unit(shape.cylinder.axis ?? [0, 0, 1]),
    });
  if (shape.box)
    parts.push({
      kind: 'box',
      at: shape.box.at,
      along: [1, 0, 0],
      size: shape.box.size.map((x) => Math.abs(x) || thick),
    });
  if (shape.sphere) parts.push({kind: 'sphere', at: shape.sphere.at, radius: shape.sphere.radius});
  if (shape.link)
    for (const [from, to] of connect(anchorsOfBody)) parts.push({kind: 'link', from, to, width: shape.link.width});
  return parts;
}

function wheel(at, radius, axis, size, teeth) {
  return {kind: 'cylinder', at, radius, length: 0.5 * SLIDER[2] * size, axis, teeth};
}

/** Wheels of gears and racks, sliding blocks; by body. */
function jointParts(scene, poses, size) {
  const parts = scene.bodies.map(() => []);
  for (const j of scene.joints) {
    const [i, k] = j.body;
    if (j.type === 'gear' && j.ratio) {
      const distance = norm(sub(place(poses[k], j.at[1]), place(poses[i], j.at[0])));
      const second = distance / (1 + j.ratio),
        first = j.ratio * second;
      const axis = j.axis && norm(j.axis) > 0 ? unit(j.axis) : [0, 0, 1];
      if (i) parts[i].push(wheel(j.at[0], Math.abs(first), axis, size, true));
      if (k) parts[k].push(wheel(j.at[1], Math.abs(second), axis, size, true));
    }
    if (j.type === 'rack-and-pinion' && j.radius && k)
      parts[k].push(wheel(j.at[1], Math.abs(j.radius), [0, 0, 1], size, true));
    if (/^(translational|prismatic|cylindrical)$/.test(j.type) && j.axis) {
      // The axis is fixed in the first body; the block belongs to the one that slides, seen from ground. A block with
      // play has its own size, and is the second body's.
      const given = j.plays.find((play) => play.height),
        block = given || i === 0 || k !== 0 ? 1 : 0,
        body = j.body[block];
      const ground = turn(poses[i].e, unit(j.axis)),
        e = poses[body].e;
      const own = conjugate(e),
        along = turn(own, ground),
        edges = SLIDER.map((x) => x * size);
      if (body && given)
        parts[body].push({
          kind: 'box',
          at: j.at[block],
          size: [given.length, given.height, given.width ?? edges[2]],
          along,
          up: turn(own, turn(poses[i].e, given.up)),
        });
      else if (body) parts[body].push({kind: 'box', at: j.at[block], size: edges, along});
    }
  }
  for (const list of parts) list.sort((a, b) => (b.radius ?? 0) - (a.radius ?? 0)); // the small wheel of two is in front
  return parts;
}

const hasShape = (shape) => shape && (shape.cylinder || shape.box || shape.sphere || shape.link);

/** Where all anchors are over the run. */
function room(scene, motion, of) {
  const cloud = [];
  const n = motion.moves ? Math.min(FIT_FRAMES, motion.frames.count) : 1;
  for (let i = 0; i < n; i++) {
    const t = motion.moves ? motion.frames.time[Math.floor((i * (motion.frames.count - 1)) / Math.max(1, n - 1))] : 0;
    motion.poses(t).forEach((pose, b) => {
      const points = b ? [...of[b], [0, 0, 0]] : of[b];
      for (const at of points) {
        const p = place(pose, at);
        if (p.every(Number.isFinite)) cloud.push(p);
      }
    });
  }
  return cloud.length ? cloud : [[0, 0, 0]];
}

/** The machine of a result, ready to be drawn. */
export function describe(result, motion) {
  const {scene} = result,
    poses = motion.poses(motion.start);
  const cloud = room(scene, motion, anchors(scene, 0).of);
  let size = Math.hypot(
    ...[0, 1, 2].map(
      (d) => cloud.reduce((a, p) => Math.max(a, p[d]), -Infinity) - cloud.reduce((a, p) => Math.min(a, p[d]), Infinity),
    ),
  );
  for (const play of motion.plays) size = Math.max(size, PICTURES[play.drawn].extent(play));
  for (const b of scene.bodies) if (b.shape?.cylinder) size = Math.max(size, b.shape.cylinder.radius);
  if (!(size > 0)) size = 1;
  const {of, ends} = anchors(scene, 1e-6 * size),
    extra = jointParts(scene, poses, size);
  const bodies = scene.bodies.map((body, b) => {
    const given = hasShape(body.shape),
      single = b > 0 && of[b].length === 1,
      plain = single && !given && !extra[b].length;
    // A link from the only point goes to the centre of mass.
    if (single && (plain || body.shape?.link) && norm(of[b][0]) > 1e-6 * size) of[b].push([0, 0, 0]);
    const parts = given ? givenParts(body.shape, of[b], size) : b ? [...extra[b]] : [];
    if (b && !given) for (const [from, to] of connect(of[b])) parts.unshift({kind: 'link', from, to, width: LINK * size});
    if (b && (plain || !parts.length))
      parts.push({
        kind: scene.space === 'planar' ? 'cylinder' : 'sphere',
        at: [0, 0, 0],
        radius: MASS * size,
        length: MASS * size,
        axis: [0, 0, 1],
        mass: true,
      });
    return {
      name: body.name,
      anchors: of[b],
      single, // attached at one point
      parts,
      colour: SERIES[(b + SERIES.length - 1) % SERIES.length],
      layer: body.shape?.layer ?? 0,
    };
  });
  const back = Math.min(...bodies.slice(1).map((b) => b.layer));
  for (const body of bodies) body.front = body.layer > back; // what is behind it is to be seen
  return {
    planar: scene.space === 'planar',
    size,
    width: LINK * size,
    bodies,
    joints: scene.joints.map((j, i) => ({...j, anchor: ends[i]})),
    plays: motion.plays,
    poses, // at the start
    cloud,
    up: upward(scene),
  };
}

function upward(scene) {
  if (scene.space === 'planar') return [0, 1, 0];
  const g = scene.gravity;
  return norm(g) > 0 ? scale(-1 / norm(g), g) : [0, 0, 1];
}

/** How far the parts of the body that slides in a joint reach to either side of its point: rails stand beside them. */
export function besideJoint(machine, joint, poses, side) {
  const other = 1 - joint.body.indexOf(0),
    b = joint.body[other],
    {e} = poses[b];
  let reach = 0;
  for (const part of machine.bodies[b].parts) {
    if (!part.at) continue;
    const off = Math.abs(dot(turn(e, sub(part.at, joint.at[other])), side));
    const half = part.size
      ? boxFrame(part, machine.planar).reduce((sum, u, k) => sum + (Math.abs(dot(turn(e, u), side)) * part.size[k]) / 2, 0)
      : part.radius;
    reach = Math.max(reach, off + half);
  }
  return reach;
}

/** Two directions that make a right-handed frame with the given one first. */
export function frame(along) {
  const u = unit(along);
  const other = Math.abs(u[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0];
  const v = unit(cross(other, u));
  return [u, v, cross(u, v)];
}

/** The directions of a box's edges. */
export function boxFrame(part, planar) {
  const u = unit(part.along);
  if (planar) return [u, [-u[1], u[0], 0], [0, 0, 1]];
  return part.up ? [u, part.up, cross(u, part.up)] : frame(u);
}
