// SPDX-License-Identifier: MIT
//
// Where the parts of a play are when nothing is magnified: the axes of a channel, the posts of stops, the pitch point
// of a mesh. The animation and the drawing both use them.
import {add, compose, conjugate, cross, dot, norm, place, scale, sub, turn, unit} from './motion.js';
import {frame} from './shapes.js';

const POST = 0.3; // radius of a stop's post, in widths of a link
const ARM = 2.6; // how far out it stands

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

/** The angle of the second body against the first about the joint's axis, within a turn. */
function angleOf(joint, axis, poses) {
  const [w, ...v] = compose(conjugate(poses[joint.body[0]].e), poses[joint.body[1]].e);
  return 2 * Math.atan2(dot(v, axis), w);
}

/** Posts of the stops there are: {side: 'min' | 'max', at, ends: a line across it, radius}. */
export function posts(machine, joint, play, poses) {
  const radius = POST * machine.width,
    body = machine.bodies[joint.body[1]];
  const sides = ['min', 'max'].filter((side) => play[side] !== undefined);
  if (play.turns) {
    const own = machine.planar || !joint.axis ? [0, 0, 1] : unit(joint.axis),
      axis = turn(poses[joint.body[0]].e, own),
      hinge = place(poses[joint.body[0]], joint.at[0]),
      now = angleOf(joint, own, poses);
    // The arm that meets them: to the point farthest from the hinge.
    const far = body.anchors.reduce((best, a) => (norm(sub(a, joint.at[1])) > norm(sub(best, joint.at[1])) ? a : best), [
      0, 0, 0,
    ]);
    const to = turn(poses[joint.body[1]].e, sub(far, joint.at[1])),
      arm = sub(to, scale(dot(to, axis), axis)),
      along = norm(arm) > 0 ? unit(arm) : frame(axis)[1];
    return sides.map((side) => {
      const half = (play[side] - now) / 2,
        direction = turn([Math.cos(half), ...scale(Math.sin(half), axis)], along);
      const beside = scale((side === 'max' ? 1 : -1) * (machine.width / 2 + radius), cross(axis, direction));
      const at = add(add(hinge, scale(ARM * machine.width, direction)), beside);
      return {side, at, ends: [add(at, scale(-radius, direction)), add(at, scale(radius, direction))], radius};
    });
  }
  const {u, v, from} = guide(joint, poses, joint.plays.find((p) => p.up)?.up ?? (machine.planar ? across(joint.axis) : null));
  const block = body.parts.find((part) => part.kind === 'box' && norm(sub(part.at, joint.at[1])) < 1e-6 * machine.size);
  const [long, high] = block ? block.size : [0, 2 * machine.width];
  return sides.map((side) => {
    const at = add(from, scale(play[side] + (side === 'max' ? 1 : -1) * (long / 2 + radius), u));
    return {side, at, ends: [add(at, scale(-0.6 * high, v)), add(at, scale(0.6 * high, v))], radius};
  });
}

const across = (axis) => unit([-axis[1], axis[0], 0]);

/** Where two wheels or rack and pinion mesh, in the plane; n from the first to the second, the sign of the radius. */
export function mesh(joint, poses) {
  const [i, j] = joint.body,
    a = place(poses[i], joint.at[0]),
    b = place(poses[j], joint.at[1]);
  if (joint.radius) {
    const u = turn(poses[i].e, unit(joint.axis)),
      h = across(u),
      sign = Math.sign(joint.radius);
    return {at: add(b, scale(-joint.radius, h)), n: scale(sign, h), sign};
  }
  const d = sub(b, a),
    radius = (joint.ratio * norm(d)) / (1 + joint.ratio);
  return {at: add(a, scale(radius, unit(d))), n: unit(d), sign: Math.sign(radius)};
}
