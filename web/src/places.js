// SPDX-License-Identifier: MIT
//
// Where the parts of a play are when nothing is magnified: the axes of a channel, the posts of stops, the pitch point
// of a mesh. The animation and the drawing both use them.
import {add, compose, conjugate, cross, dot, norm, place, scale, sub, turn, unit} from './motion.js';
import {frame} from './shapes.js';

const POST = 0.3; // radius of a stop's post, in widths of a link …
const OF_WHEEL = 0.03; // … and at least, in radii of a wheel that it stops
const ARM = 2.6; // how far out it is placed, in widths of a link …
const RIM = {planar: 0.75, spatial: 1.1}; // … or in radii of the wheel
const WORTH = 3; // a travel between stops that would be magnified less is large enough
const OPEN = 0.8; // rad, to which a small angle between stops is magnified …
const WAY = 0.1; // … and a small travel, as a share of the machine's size

/** Axes of a joint's guide in ground: along, two across; its middle, and where the second body is along it. */
export function guide(joint, poses, up) {
  const [i, j] = joint.body,
    {e} = poses[i],
    u = turn(e, unit(joint.axis)),
    v = up ? turn(e, up) : frame(u)[1],
    from = place(poses[i], joint.at[0]),
    to = place(poses[j], joint.at[1]);
  return {u, v, w: cross(u, v), from, to, s: dot(sub(to, from), u)};
}

/** From ground to what a joint in the plane holds there: up, or along a spring. */
export function groundUp({type, body, at}, poses) {
  const end = body.indexOf(0);
  return type === 'spring' ? unit(sub(place(poses[body[1 - end]], at[1 - end]), at[end])) : [0, 1, 0];
}

/** The angle of the second body relative to the first about the joint's axis, within a turn. */
function angleOf(joint, axis, poses) {
  const [w, ...v] = compose(conjugate(poses[joint.body[0]].e), poses[joint.body[1]].e);
  return 2 * Math.atan2(dot(v, axis), w);
}

/** The magnification that the travel between two stops needs to be seen well; 1: it is large enough. */
export function stopsRatio(play, size) {
  const ratio = (2 * (play.turns ? OPEN : WAY * size)) / (play.max - play.min);
  return ratio > WORTH ? ratio : 1; // also where one is missing
}

/** Posts of the stops there are: {side: 'min' | 'max', ends: of the line along it, radius}. */
export function posts(machine, joint, play, poses, magnification = 1) {
  const m = Math.min(magnification, stopsRatio(play, machine.size)),
    body = machine.bodies[joint.body[1]],
    at = joint.at[1],
    isThere = (part) => part.at && norm(sub(part.at, at)) < 1e-6 * machine.size;
  const sides = ['min', 'max'].filter((side) => play[side] !== undefined),
    sign = {min: -1, max: 1};
  if (play.turns) {
    const own = machine.planar || !joint.axis ? [0, 0, 1] : unit(joint.axis),
      axis = turn(poses[joint.body[0]].e, own),
      hinge = place(poses[joint.body[0]], joint.at[0]),
      now = angleOf(joint, own, poses);
    // What meets them: the arm to the point farthest from the hinge, or the spoke of a wheel.
    const far = body.anchors.reduce((best, a) => (norm(sub(a, at)) > norm(sub(best, at)) ? a : best), [0, 0, 0]),
      arm = norm(sub(far, at)) > 0,
      to = turn(poses[joint.body[1]].e, arm ? sub(far, at) : machine.planar ? [1, 0, 0] : frame(own)[1]),
      wheel = Math.max(0, ...body.parts.filter((part) => part.radius && isThere(part)).map((part) => part.radius));
    const along = unit(sub(to, scale(dot(to, axis), axis))),
      radius = Math.max(POST * machine.width, OF_WHEEL * wheel),
      beside = radius + (arm ? machine.width / 2 : 0),
      out = arm ? ARM * machine.width : RIM[machine.planar ? 'planar' : 'spatial'] * wheel;
    return sides.map((side) => {
      // Relative to the present angle, so that angles of many turns do no harm.
      const half = (m * (play[side] - now)) / 2,
        direction = turn([Math.cos(half), ...scale(Math.sin(half), axis)], along),
        middle = add(add(hinge, scale(out, direction)), scale(sign[side] * beside, cross(axis, direction)));
      return {side, ends: [-radius, radius].map((x) => add(middle, scale(x, direction))), radius};
    });
  }
  const up = joint.plays.find((p) => p.up)?.up ?? (machine.planar ? across(joint.axis) : null),
    {u, v, from, s} = guide(joint, poses, up);
  const block = body.parts.find((part) => part.kind === 'box' && isThere(part)),
    [long, high] = block ? block.size : [0, 2 * machine.width],
    radius = POST * machine.width;
  return sides.map((side) => {
    const middle = add(from, scale(s + m * (play[side] - s) + sign[side] * (long / 2 + radius), u));
    return {side, ends: [-0.6 * high, 0.6 * high].map((x) => add(middle, scale(x, v))), radius};
  });
}

const across = (axis) => unit([-axis[1], axis[0], 0]);

/** Where two wheels or rack and pinion mesh, in the plane; n from the first to the second, the sign of the first
    radius, and the least radius. */
export function mesh(joint, poses) {
  const [i, j] = joint.body,
    a = place(poses[i], joint.at[0]),
    b = place(poses[j], joint.at[1]);
  if (joint.radius) {
    const u = turn(poses[i].e, unit(joint.axis)),
      h = across(u),
      sign = Math.sign(joint.radius);
    return {at: add(b, scale(-joint.radius, h)), n: scale(sign, h), sign, least: Math.abs(joint.radius)};
  }
  const d = sub(b, a),
    second = norm(d) / (1 + joint.ratio),
    first = joint.ratio * second;
  return {
    at: add(a, scale(first, unit(d))),
    n: unit(d),
    sign: Math.sign(first),
    least: Math.min(Math.abs(first), Math.abs(second)),
  };
}
