// SPDX-License-Identifier: MIT
//
// The model as a drawing with names, at the start of the run: an SVG made from the same parts as the animation. In the
// plane as it is, in space seen from a corner.
import {counted} from './data.js';
import {element, svg} from './dom.js';
import {Motion, add, cross, dot, norm, place, scale, sub, turn, unit} from './motion.js';
import {groundUp, guide, mesh, posts} from './places.js';
import {PICTURES, isFreed} from './plays.js';
import {besideJoint, boxFrame, describe, frame} from './shapes.js';

const WIDTH = 760,
  MOST_HEIGHT = 430, // without margins
  MARGIN = 42; // units of the drawing, for names
const CORNERS = 40; // of a circle that is drawn as a polygon
const fixed = (x) => x.toFixed(2);

function projection(machine) {
  if (machine.planar) return {towards: [0, 0, 1], project: (p) => [p[0], -p[1]]};
  const {up} = machine,
    side = unit(cross(Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], up)),
    front = cross(up, side);
  const from = unit(add(add(scale(1.1, side), scale(0.62, up)), scale(0.75, front)));
  const right = unit(cross(up, from)),
    high = cross(from, right);
  return {towards: from, project: (p) => [dot(p, right), -dot(p, high)]};
}

class Sheet {
  /** `room`: lowest and highest projected place; unless given, that of points and parts alone. */
  constructor(machine, poses, room) {
    this.machine = machine;
    Object.assign(this, projection(machine));
    this.ends = machine.bodies.map((body, b) => body.anchors.map((at) => place(poses[b], at)));
    const [low, high] = room ?? this.guess(poses),
      middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    this.factor = Math.min((WIDTH - 2 * MARGIN) / (high[0] - low[0]), MOST_HEIGHT / (high[1] - low[1]));
    this.width = WIDTH;
    this.height = Math.max(150, (high[1] - low[1]) * this.factor + 2 * MARGIN);
    this.at = (p) => this.project(p).map((x, i) => (i ? this.height : this.width) / 2 + (x - middle[i]) * this.factor);
    this.middle = middle;
    this.low = [Infinity, Infinity]; // of what is drawn, names apart
    this.high = [-Infinity, -Infinity];
    this.taken = [];
    this.layers = {ground: svg('g'), bodies: svg('g'), joints: svg('g'), names: svg('g')};
    this.node = svg(
      'svg',
      {
        viewBox: `0 0 ${fixed(this.width)} ${fixed(this.height)}`,
        role: 'img',
        class: 'drawing',
        'aria-label': 'Drawing of the model with the names of its bodies and joints',
      },
      ...Object.values(this.layers),
    );
  }
  guess(poses) {
    const {machine} = this,
      points = [
        ...this.ends.flat(),
        ...machine.bodies.flatMap((b, i) =>
          i
            ? b.parts.filter((p) => p.at).flatMap((p) => this.around(place(poses[i], p.at), p.radius ?? norm(p.size) / 2))
            : [],
        ),
      ].map(this.project);
    return [-1, 1].map((sign) =>
      [0, 1].map((d) => sign * Math.max(...points.map((p) => sign * p[d])) + sign * machine.width),
    );
  }
  /** The room that everything takes that was drawn, for a sheet on which all of it fits. */
  room() {
    return [this.low, this.high].map((p) =>
      p.map((x, d) => this.middle[d] + (x - (d ? this.height : this.width) / 2) / this.factor),
    );
  }
  hold([x, y], r) {
    this.low = [Math.min(this.low[0], x - r), Math.min(this.low[1], y - r)];
    this.high = [Math.max(this.high[0], x + r), Math.max(this.high[1], y + r)];
  }
  around(p, r) {
    return [
      [r, r, 0],
      [-r, -r, 0],
      [0, 0, r],
      [0, 0, -r],
    ].map((d) => add(p, d));
  }
  circle(layer, p, r, attributes) {
    const [cx, cy] = this.at(p),
      radius = Math.max(1, r * this.factor);
    this.hold([cx, cy], radius);
    layer.append(svg('circle', {cx: fixed(cx), cy: fixed(cy), r: fixed(radius), ...attributes}));
  }
  path(layer, points, attributes, close = false) {
    const places = points.map(this.at);
    for (const p of places) this.hold(p, Number(attributes['stroke-width'] ?? 0) / 2);
    layer.append(
      svg('path', {
        d: places.map((p, i) => `${i ? 'L' : 'M'}${p.map(fixed).join(' ')}`).join('') + (close ? 'Z' : ''),
        ...attributes,
      }),
    );
  }
  /** The convex hull of points as they are seen, in order (Andrew's monotone chain). */
  hull(points) {
    const seen = points.map((p) => [...this.project(p), p]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turns = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const chain = (list) => {
      const kept = [];
      for (const p of list) {
        while (kept.length > 1 && turns(kept[kept.length - 2], kept[kept.length - 1], p) <= 0) kept.pop();
        kept.push(p);
      }
      return kept.slice(0, -1);
    };
    return [...chain(seen), ...chain(seen.slice().reverse())].map(([, , p]) => p);
  }
  /** A name near a place, where there is room. */
  name(p, text, style, radius = 0) {
    const [x, y] = this.at(p),
      half = 3.7 * text.length + 3,
      away = Math.max(radius, this.machine.width / 2) * this.factor;
    const tries = [
      [0, -away - 9],
      [0, away + 19],
      [half + away + 8, 4],
      [-half - away - 8, 4],
      [half + 8, -away - 12],
      [-half - 8, away + 15],
      [0, -away - 26],
      [0, away + 36],
      [0, -away - 43],
      [0, away + 53],
    ];
    const fits = (place, half, size) => place - half > 0 && place + half < size;
    const free =
      tries.find(
        ([dx, dy]) =>
          this.taken.every(([a, b, w]) => Math.abs(a - x - dx) > w + half || Math.abs(b - y - dy) > 15) &&
          fits(x + dx, half, this.width) &&
          fits(y + dy - 4, 9, this.height),
      ) ?? tries[0];
    this.taken.push([x + free[0], y + free[1], half]);
    this.layers.names.append(
      svg(
        'text',
        {x: fixed(x + free[0]), y: fixed(y + free[1]), class: style, 'text-anchor': 'middle'},
        document.createTextNode(text),
      ),
    );
  }
}

function drawPart(sheet, body, b, part, pose) {
  const look = {fill: body.colour, class: 'part', 'fill-opacity': part.mass ? 1 : body.front ? 0.6 : 0.9},
    group = sheet.layers.bodies;
  if (part.kind === 'link') {
    const ends = [sheet.ends[b][part.from], sheet.ends[b][part.to]],
      width = Math.max(4, part.width * sheet.factor);
    sheet.path(group, ends, {class: 'edge', 'stroke-width': fixed(width + 2.4)});
    sheet.path(group, ends, {class: 'link', stroke: body.colour, 'stroke-width': fixed(width)});
  } else if (part.kind === 'cylinder') {
    drawCylinder(sheet, part, pose, look);
  } else if (part.kind === 'box') {
    const [u, v, w] = boxFrame(part, sheet.machine.planar);
    const corner = (s, t, r) =>
      place(
        pose,
        add(
          part.at,
          add(
            add(scale((s * part.size[0]) / 2, u), scale((t * part.size[1]) / 2, v)),
            scale((r * part.size[2]) / 2, w),
          ),
        ),
      );
    const faces = sheet.machine.planar
      ? [[0, 0, 1]]
      : [
          [1, 0, 0],
          [-1, 0, 0],
          [0, 1, 0],
          [0, -1, 0],
          [0, 0, 1],
          [0, 0, -1],
        ];
    for (const [i, k, l] of faces) {
      const round = [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ];
      sheet.path(
        group,
        round.map(([s, t]) => (i ? corner(i, s, t) : k ? corner(s, k, t) : corner(s, t, sheet.machine.planar ? 0 : l))),
        look,
        true,
      );
    }
  } else {
    sheet.circle(group, place(pose, part.at), part.radius, look);
  }
}

/** The outline of a cylinder and the rim of its visible end. */
function drawCylinder(sheet, part, pose, look) {
  const [u, v, w] = frame(part.axis),
    group = sheet.layers.bodies;
  const rim = (end) =>
    Array.from({length: CORNERS}, (_, i) => {
      const angle = (2 * Math.PI * i) / CORNERS;
      const across = add(scale(part.radius * Math.cos(angle), v), scale(part.radius * Math.sin(angle), w));
      return place(pose, add(part.at, add(across, scale((end * part.length) / 2, u))));
    });
  const facing = dot(turn(pose.e, u), sheet.towards) < 0 ? -1 : 1;
  sheet.path(group, sheet.hull([...rim(-1), ...rim(1)]), look, true);
  sheet.path(group, rim(facing), {...look, 'fill-opacity': 0}, true);
  const middle = place(pose, add(part.at, scale((facing * part.length) / 2, u)));
  sheet.path(group, [middle, rim(facing)[0]], {class: 'thin'});
}

function drawGround(sheet, joint, poses) {
  const end = joint.body.indexOf(0),
    w = sheet.machine.width,
    at = joint.at[end];
  if (end < 0) return;
  if (isFreed(joint) && joint.plays.some((play) => play.up)) return; // its walls are drawn
  if (/^(translational|prismatic|point-on-line)$/.test(joint.type) && joint.axis) {
    const other = 1 - end,
      u = turn(poses[joint.body[0]].e, unit(joint.axis)),
      p = place(poses[joint.body[other]], joint.at[other]);
    const side = sheet.machine.planar ? [-u[1], u[0], 0] : frame(u)[1],
      foot = add(at, scale(dot(sub(p, at), u), u));
    for (const s of [-1, 1]) {
      const apart = joint.type === 'point-on-line' ? 0.5 * w : besideJoint(sheet.machine, joint, poses, side) + 0.15 * w;
      const rail = add(foot, scale(s * apart, side));
      sheet.path(sheet.layers.ground, [add(rail, scale(-3.4 * w, u)), add(rail, scale(3.4 * w, u))], {class: 'ground'});
    }
  } else if (sheet.machine.planar) {
    const [x, y] = groundUp(joint, poses),
      p = (s, t) => add(at, [(s * y + t * x) * w, (t * y - s * x) * w, 0]),
      floor = joint.type === 'spring' ? 0 : -1.5;
    if (floor) sheet.path(sheet.layers.ground, [p(0, 0), p(0.9, floor), p(-0.9, floor)], {class: 'ground'}, true);
    sheet.path(sheet.layers.ground, [p(-1.45, floor), p(1.45, floor)], {class: 'ground'});
    for (let i = -2; i <= 2; i++)
      sheet.path(sheet.layers.ground, [p(0.55 * i, floor), p(0.55 * i - 0.5, floor - 0.5)], {class: 'thin'});
  }
}

/** Play at its true size, by its picture; each function returns the room it takes around the joint's point. */
const SKETCHES = {
  circle(sheet, joint, play, a, b) {
    const radius = play.journal ? play.bearing : 0.5 * sheet.machine.width;
    sheet.circle(sheet.layers.joints, a, radius * 1.2, {class: 'bearing'});
    sheet.circle(sheet.layers.joints, b, play.journal || 0.3 * sheet.machine.width, {class: 'journal'});
    return 1.2 * radius;
  },
  channel(sheet, joint, play, a, b, poses) {
    const {u, v, w, from, s} = guide(joint, poses, play.up),
      sides = play.width ? [-1, 1] : [0];
    for (const up of [-1, 1])
      for (const side of sides) {
        const at = (x) =>
          add(
            add(from, scale(s + x * play.length, u)),
            add(
              scale((up * (play.height + play.play)) / 2, v),
              scale((side * ((play.width ?? 0) + (play.side_play ?? 0))) / 2, w),
            ),
          );
        sheet.path(sheet.layers.joints, [at(-1), at(1)], {class: 'ground'});
      }
    return play.height / 2;
  },
  stops(sheet, joint, play, a, b, poses) {
    for (const {ends, radius} of posts(sheet.machine, joint, play, poses))
      sheet.path(sheet.layers.joints, ends, {
        class: 'edge',
        'stroke-width': fixed(Math.max(3, 2 * radius * sheet.factor)),
        'stroke-linecap': 'round',
      });
    return 0;
  },
  teeth: () => 0,
};

function drawJoint(sheet, joint, poses) {
  const [i, k] = joint.body,
    a = sheet.ends[i][joint.anchor[0]],
    b = sheet.ends[k][joint.anchor[1]],
    layer = sheet.layers.joints;
  if (joint.type === 'spring') {
    const way = sub(b, a),
      side = sheet.machine.planar ? unit([-way[1], way[0], 0]) : frame(way)[1],
      points = [a];
    for (let n = 1; n < 14; n++)
      points.push(add(add(a, scale(n / 14, way)), scale((n % 2 ? 0.55 : -0.55) * sheet.machine.width, side)));
    sheet.path(layer, [...points, b], {class: 'spring'});
    return sheet.name(scale(0.5, add(a, b)), joint.name, 'joint-name');
  }
  const taken = joint.plays.map((play) => SKETCHES[play.drawn](sheet, joint, play, a, b, poses));
  if (isFreed(joint)) {
    // The picture of the play replaces it.
  } else if (joint.type === 'distance') {
    sheet.path(layer, [a, b], {class: 'spring'});
  } else if (!/^(translational|prismatic|gear|rack-and-pinion|fixed)$/.test(joint.type)) {
    sheet.circle(layer, joint.type === 'point-on-line' ? b : a, 0.32 * sheet.machine.width, {class: 'pin'});
  }
  sheet.name(
    joint.type !== 'gear' ? b : sheet.machine.planar ? mesh(joint, poses).at : scale(0.5, add(a, b)),
    joint.name,
    taken.length ? 'play-name' : 'joint-name',
    Math.max(...taken, isFreed(joint) || joint.type !== 'translational' ? 0 : 0.05 * sheet.machine.size),
  );
}

function jointsAndSprings(joints) {
  const springs = joints.filter((j) => j.type === 'spring').length,
    text = counted(joints.length - springs, 'joint');
  return springs ? `${text}, ${counted(springs, 'spring')}` : text;
}

/** Everything on a sheet. */
function draw(sheet, poses) {
  const {machine} = sheet;
  machine.joints.forEach((j) => drawGround(sheet, j, poses));
  const depths = machine.bodies.map((body, b) => [body, b]).sort(([p], [q]) => p.layer - q.layer);
  for (const [body, b] of depths) body.parts.forEach((part) => drawPart(sheet, body, b, part, poses[b]));
  machine.joints.forEach((j) => drawJoint(sheet, j, poses));
  machine.bodies.forEach((body, b) => {
    if (b)
      sheet.name(
        sheet.ends[b].length > 1 ? scale(1 / sheet.ends[b].length, sheet.ends[b].reduce(add)) : poses[b].p,
        body.name,
        'body-name',
      );
  });
  return sheet;
}

/** The drawing and, below it, what is joined to what. */
export function drawing(result) {
  if (!result.scene) return null;
  const motion = new Motion(result),
    machine = describe(result, motion),
    poses = motion.poses(motion.start),
    sheet = draw(new Sheet(machine, poses, draw(new Sheet(machine, poses), poses).room()), poses);
  const end = (j, n) => {
    const body = result.scene.bodies[j.body[n]].name,
      at = j.at[n];
    const point = result.scene.points.find((p) => p.body === j.body[n] && norm(sub(p.at, at)) === 0);
    return point ? `${body}.${point.name}` : body;
  };
  const rows = machine.joints.map((j) =>
    element(
      'tr',
      element('td', j.name),
      element('td', j.type),
      element('td', `${end(j, 0)} – ${end(j, 1)}`),
      element(
        'td',
        j.plays.map((play) => PICTURES[play.drawn].words(play)).join('; '),
      ),
    ),
  );
  return element(
    'div',
    sheet.node,
    element(
      'details',
      element('summary', `${counted(machine.bodies.length - 1, 'body', 'bodies')}, ${jointsAndSprings(machine.joints)}`),
      element(
        'div.scroll',
        {tabIndex: 0},
        element(
          'table',
          element(
            'thead',
            element(
              'tr',
              ['Joint', 'Type', 'Between', 'Play'].map((h) => element('th', {scope: 'col'}, h)),
            ),
          ),
          element('tbody', rows),
        ),
      ),
    ),
  );
}
