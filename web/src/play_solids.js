// SPDX-License-Identifier: MIT
//
// Play as three.js objects, one class for each picture (plays.js), with the gap magnified.
//
// Magnification m draws a part that can move in its gap at N + m (P − N), where P is where it is and N where the ideal
// joint would have it; and the wall at its distance from the part in the middle, m times: parts touch in the picture
// when they touch in the machine.
//   - A journal is at B + m e in a bearing of the radius R_j + m c; worn surfaces are m times as deep.
//   - Each corner of a block is m times as far from its place in the ideal guide, in a channel of the height h + m p.
//   - A tooth is m x beside the middle of a gap of m b.
//   - Posts of stops are m times as far from what meets them, where they would be too near to be seen.
//
//   new Picture(view, play, joint)
//   room(m)                  the part of the scene that is shown when the view follows it
//   layout(now, m, state)    where it is, {at, …}; also moves the ends of bodies in `now` with it
//   put(drawn, now)          places its objects there
import * as THREE from 'three';
import {add, compose, conjugate, cross, dot, norm, place, scale, sub, turn, unit} from './motion.js';
import {guide, mesh, posts} from './places.js';
import {deepest, toothSize, wornAxes, wornDepth} from './plays.js';
import {Arrow, Bar, Bearing, fixedPart, outlineShape, quaternion, ringSurface, vector} from './solids.js';

const ARROW = 0.5; // longest arrow as a share of half the picture's height
const LEAST_FORCE = 1e-4; // of the largest, below which no arrow is drawn
const AROUND = 240; // corners of a worn circle
const ALONG = 400; // places along a worn wall
const BASE = 1e6; // layers above all bodies
export const LAYER = {
  joint: BASE,
  bearing: BASE + 10,
  journal: BASE + 20,
  contact: BASE + 30,
  arrow: BASE + 40,
};

/** A dot that is coloured by a mode. */
class Dot {
  constructor(view) {
    const {painter} = view;
    this.view = view;
    this.mesh = painter.mesh(
      painter.planar ? new THREE.CircleGeometry(1, 32) : new THREE.SphereGeometry(1, 20, 14),
      painter.material('#000'),
      LAYER.contact,
    );
    this.mesh.userData.sized = true; // by the view: no part of the machine
    view.scene.add(this.mesh);
  }
  put(at, mode, radius) {
    this.mesh.position.copy(vector(at));
    this.mesh.scale.setScalar(radius);
    this.mesh.material.color.set(this.view.modeColour(mode));
  }
}

/** The force on the second part, as an arrow that ends at a place. */
class Force {
  constructor(view) {
    this.view = view;
    this.arrow = new Arrow(view.painter, view.painter.ink('force'), LAYER.arrow);
    this.arrow.group.traverse((part) => (part.userData.sized = true));
    view.scene.add(this.arrow.group);
  }
  put(at, force, before = 0) {
    const {arrow, view} = this,
      size = norm(force),
      half = view.halfHeight();
    arrow.group.visible = size > LEAST_FORCE * view.strongest;
    if (!arrow.group.visible) return;
    const along = scale(1 / size, force);
    arrow.set(
      add(at, scale(-before, along)),
      along,
      ARROW * half * Math.sqrt(size / view.strongest),
      0.05 * half,
    );
  }
}

class Circle {
  constructor(view, play, joint) {
    const {painter, machine} = view;
    Object.assign(this, {view, play, joint});
    this.radius = play.journal || 0.3 * machine.width;
    this.bearing = new Bearing(painter, play, joint.type === 'spherical', LAYER.bearing);
    this.journal = new THREE.Group();
    const fill = painter.material(machine.bodies[joint.body[1]].colour || '#888');
    if (painter.planar) {
      this.journal.add(
        painter.mesh(new THREE.CircleGeometry(this.radius, 96), fill, LAYER.journal),
        painter.mesh(
          new THREE.RingGeometry(this.radius - 2 * painter.line, this.radius, 96),
          view.outline,
          LAYER.journal + 1,
        ),
      );
      const spoke = painter.mesh(new THREE.PlaneGeometry(this.radius, painter.line), view.outline, LAYER.journal + 1);
      spoke.position.x = this.radius / 2;
      this.journal.add(spoke);
      if (play.worn?.depths[1].length) [this.face, this.rim, this.spoke] = this.journal.children;
    } else {
      const part =
        joint.type === 'spherical'
          ? {kind: 'sphere', at: [0, 0, 0], radius: this.radius}
          : {
              kind: 'cylinder',
              at: [0, 0, 0],
              radius: this.radius,
              length: 1.35 * this.bearing.length,
              axis: [0, 0, 1],
            };
      const worn = play.worn && this.marks();
      if (worn) this.surface = painter.mesh(new THREE.BufferGeometry(), fill, LAYER.journal);
      this.journal.add(this.surface ?? fixedPart(painter, part, fill, view.outline, LAYER.journal, machine.size));
    }
    view.scene.add(this.bearing.group, this.journal);
    this.dot = new Dot(view);
    this.force = new Force(view);
  }
  /** Where the angle of a worn pin in space is counted from: on the bearing, and on the pin as it is drawn, in the axes of
   * their bodies. */
  marks() {
    const {play, joint, view} = this,
      [mark, across, axis] = wornAxes(play, joint),
      [i, j] = joint.body.map((b) => view.motion.still[b].e),
      [w, ...v] = compose(conjugate(i), j),
      angle = 2 * Math.atan2(dot(v, axis), w),
      first = add(scale(Math.cos(angle), mark), scale(Math.sin(angle), across));
    return (this.pinMark = turn(conjugate(j), turn(i, first)));
  }
  /** Radii of a worn part, magnified; parts as of wornDepth. */
  radii(part, m) {
    const inside = part % 2,
      base = inside ? this.radius : this.inner(m);
    return Array.from({length: AROUND}, (_, i) => {
      const depth = wornDepth(this.play, part, (2 * Math.PI * i) / AROUND);
      return inside ? Math.max(base - m * depth, 0.2 * this.radius) : base + m * depth;
    });
  }
  /** The bore as Bearing.set() wants it. */
  bore(m) {
    if (!this.play.worn) return undefined;
    return this.view.painter.planar ? this.radii(0, m) : [0, 2].map((part) => this.radii(part, m));
  }
  /** The turn of a worn bearing in space, or of its pin without its tilt: z along the axis, x where angles begin. */
  wornTurn(now, part) {
    const [i, j] = this.joint.body.map((b) => now.poses[b].e),
      [mark, , axis] = wornAxes(this.play, this.joint),
      z = turn(i, axis),
      given = part ? turn(j, this.pinMark) : turn(i, mark),
      x = unit(sub(given, scale(dot(given, z), z))),
      basis = new THREE.Matrix4().makeBasis(vector(x), vector(cross(z, x)), vector(z));
    return new THREE.Quaternion().setFromRotationMatrix(basis);
  }
  /** The journal for a new magnification. */
  wearJournal(m) {
    if (!this.face || m === this.wornAt) return;
    this.wornAt = m;
    const radii = this.radii(1, m),
      rim = outlineShape(radii);
    rim.holes.push(outlineShape(radii.map((r) => r - 2 * this.view.painter.line)));
    this.face.geometry.dispose();
    this.rim.geometry.dispose();
    this.face.geometry = new THREE.ShapeGeometry(outlineShape(radii));
    this.rim.geometry = new THREE.ShapeGeometry(rim);
    this.spoke.scale.x = radii[0] / this.radius;
    this.spoke.position.x = radii[0] / 2;
  }
  /** The same for a pin in space: straight from end to end, and as far out of its bearing as a new one. */
  wearPin(m) {
    if (m === this.wornAt) return;
    this.wornAt = m;
    const [first, second] = [1, 3].map((part) => this.radii(part, m)),
      none = first.map(() => 0),
      half = this.bearing.length / 2,
      out = 1.35 * half;
    this.surface.geometry.dispose();
    this.surface.geometry = ringSurface([
      [-out, none],
      [-out, first],
      [-half, first],
      [half, second],
      [out, second],
      [out, none],
    ]);
  }
  inner(m) {
    return this.radius + m * (this.play.bearing - this.play.journal);
  }
  room(m) {
    return this.play.worn ? Math.max(...this.bore(m).flat()) : this.inner(m);
  }
  /** Where worn surfaces penetrate each other most, from the bearing's centre. */
  touched({e, m}, now) {
    const [i, j] = this.joint.body.map((b) => now.poses[b].e),
      [w, , , z] = compose(conjugate(i), j),
      phi = deepest(this.play, turn(conjugate(i), e), 2 * Math.atan2(z, w)),
      r = this.inner(m) + m * wornDepth(this.play, 0, phi);
    return turn(i, [r * Math.cos(phi), r * Math.sin(phi), 0]);
  }
  /** The end of a link that carries the journal goes with it; a body held by that one point moves with it as a whole. */
  layout(now, m, state) {
    const {joint, view} = this,
      [i, j] = joint.body,
      bearing = now.ends[i][joint.anchor[0]],
      own = now.ends[j][joint.anchor[1]];
    const e = state ? state.e : sub(own, bearing),
      journal = add(bearing, scale(m, e));
    if (view.machine.bodies[j].single) {
      now.shift[j] = sub(journal, own);
      now.ends[j] = now.ends[j].map((p) => add(p, now.shift[j]));
    } else now.ends[j][joint.anchor[1]] = journal;
    return {at: bearing, bearing, journal, m, ...(state ?? {force: [0, 0, 0], mode: 0}), e};
  }
  put(drawn, now) {
    const {bearing, journal, joint, view} = this,
      inner = this.inner(drawn.m);
    const worn = view.painter.planar && this.play.worn;
    bearing.set(inner, this.bore(drawn.m));
    bearing.group.position.copy(vector(drawn.bearing));
    journal.position.copy(vector(drawn.journal));
    if (view.painter.planar) {
      journal.quaternion.copy(quaternion(now.poses[joint.body[1]].e));
      bearing.group.quaternion.copy(quaternion(now.poses[joint.body[0]].e));
      this.wearJournal(drawn.m);
    } else {
      const axis = this.surface ? this.wornTurn(now, 0) : view.axisTurn(joint, now.poses);
      bearing.group.quaternion.copy(axis);
      // The tilt of a long journal is magnified with the offsets of its two ends.
      const [first, second] = drawn.ends ?? [],
        along = new THREE.Vector3(0, 0, bearing.length).applyQuaternion(axis);
      const tilted = second
        ? along
            .clone()
            .add(vector(scale(drawn.m, sub(second, first))))
            .normalize()
        : null;
      if (this.surface) this.wearPin(drawn.m);
      const straight = this.surface ? this.wornTurn(now, 1) : axis;
      journal.quaternion.copy(
        tilted ? new THREE.Quaternion().setFromUnitVectors(along.normalize(), tilted).multiply(straight) : straight,
      );
    }
    this.dot.mesh.visible = Math.round(drawn.mode) > 0;
    this.dot.put(
      add(drawn.bearing, worn ? this.touched(drawn, now) : scale(inner, unit(drawn.e))),
      drawn.mode,
      0.022 * view.halfHeight(),
    );
    this.force.put(drawn.journal, drawn.force, this.radius);
  }
}

/** Signs of a block's corners along, up and to the side, in the order of their numbers. */
const CORNERS = {
  planar: [0, 1, 2, 3].map((k) => [k % 2 ? 1 : -1, k < 2 ? 1 : -1, 0]),
  spatial: [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k < 4 ? -1 : 1, k & 1 ? 1 : -1, k & 2 ? 1 : -1]),
};

class Channel {
  constructor(view, play, joint) {
    const {painter, machine} = view,
      ink = joint.body[0] === 0 ? painter.ink('muted') : painter.ink('steel'),
      edge = view.outline;
    Object.assign(this, {view, play, joint, first: true});
    this.corners = machine.planar ? CORNERS.planar : CORNERS.spatial;
    this.thick = 0.12 * machine.width;
    const bar = (width, material, layer) => {
      const made = new Bar(painter, width, material, material, layer);
      view.scene.add(made.group);
      return made;
    };
    // Walls in the plane, the long edges of the channel in space.
    this.walls = (
      machine.planar
        ? [
            [1, 0],
            [-1, 0],
          ]
        : [
            [1, 1],
            [1, -1],
            [-1, 1],
            [-1, -1],
          ]
    ).map((signs) => ({signs, bar: bar(this.thick, ink, LAYER.bearing)}));
    if (machine.planar && play.worn) {
      this.faces = this.walls.map(() => painter.mesh(new THREE.BufferGeometry(), ink, LAYER.bearing));
      view.scene.add(...this.faces);
      for (const {bar: {group}} of this.walls) group.visible = false;
    }
    this.edges = this.corners.flatMap((a, i) =>
      this.corners
        .map((b, k) => [i, k, a.filter((x, d) => x !== b[d]).length])
        .filter(([from, to, differ]) => from < to && differ === 1)
        .map(([from, to]) => ({from, to, bar: bar(0.04 * machine.width, edge, LAYER.journal)})),
    );
    this.dots = this.corners.map(() => new Dot(view));
    this.force = new Force(view);
    [this.low, this.high] = view.travel(joint);
  }
  room(m) {
    const {length, height, play} = this.play;
    return 0.6 * Math.hypot(length, height + m * play);
  }
  /** The turn out of the ideal guide. */
  tilt(now, state) {
    if (this.view.machine.planar) return [Math.cos(state.tilt[0] / 2), 0, 0, Math.sin(state.tilt[0] / 2)];
    const {still} = this.view.motion,
      turned = (b) => compose(now.poses[b].e, conjugate(still[b].e)),
      [i, j] = this.joint.body;
    return compose(turned(j), conjugate(turned(i)));
  }
  layout(now, m, state) {
    const {joint, play, view} = this,
      [, j] = joint.body,
      axes = guide(joint, now.poses, play.up),
      {u, v, w, from, s, to} = axes;
    if (!state) return {at: to, axes, middle: to, corners: null, m: 1, force: [0, 0, 0]};
    const q = this.tilt(now, state),
      off = add(scale(state.offset[0], v), scale(state.offset[1], w)),
      middle = add(add(from, scale(s, u)), scale(m, off));
    const corners = this.corners.map(([a, b, c]) => {
      const x = add(
          add(scale((a * play.length) / 2, u), scale((b * play.height) / 2, v)),
          scale((c * (play.width ?? 0)) / 2, w),
        ),
        worn = play.worn?.ends[b > 0 ? 0 : 1]?.[a > 0 ? 1 : 0] ?? 0;
      return add(middle, add(add(x, scale(-b * m * worn, v)), scale(m, sub(turn(q, x), x))));
    });
    // The same for the whole body, y from the true middle: N + m (y − N) with N = q⁻¹ y.
    const carry = (y) => add(scale(m, y), scale(1 - m, turn(conjugate(q), y)));
    if (j) {
      const before = now.ends[j];
      now.ends[j] = before.map((p) => add(middle, carry(sub(p, to))));
      now.warp[j] = {from: to, to: middle, carry};
      this.pullAlong(now, j, before);
    }
    return {at: add(from, scale(s, u)), axes, middle, corners, m, ...state};
  }
  /** What is pinned to the block goes with it. */
  pullAlong(now, j, before) {
    const {joints, size} = this.view.machine;
    for (const {body, anchor, type} of joints) {
      const own = body.indexOf(j),
        other = body[1 - own];
      if (own < 0 || !other || type === 'spring') continue;
      const [mine, its] = own ? [anchor[1], anchor[0]] : anchor;
      if (norm(sub(now.ends[other][its], before[mine])) < 1e-5 * size) now.ends[other][its] = now.ends[j][mine];
    }
  }
  /** Walls that are worn, magnified with the play: along u from the channel's point. */
  putFaces({u, from}, m, low, high) {
    const {play, thick, view} = this,
      half = (play.height + m * play.play) / 2 + view.painter.line;
    this.faces.forEach((face, k) => {
      const sign = k ? -1 : 1,
        wall = (x) => sign * (half + m * wornDepth(play, k, x)),
        back = sign * (half + m * Math.max(0, ...play.worn.depths[k]) + thick);
      if (m !== this.wornAt) {
        const points = Array.from({length: ALONG + 1}, (_, i) => low + ((high - low) * i) / ALONG).map(
          (x) => new THREE.Vector2(x, wall(x)),
        );
        face.geometry.dispose();
        face.geometry = new THREE.ShapeGeometry(
          new THREE.Shape([...points, new THREE.Vector2(high, back), new THREE.Vector2(low, back)]),
        );
      }
      face.position.copy(vector(from));
      face.rotation.z = Math.atan2(u[1], u[0]);
    });
    this.wornAt = m;
  }
  put({axes, middle, corners, modes, m, force}) {
    const {play, view, thick} = this,
      {u, v, w, from} = axes,
      reach = 0.75 * play.length;
    if (this.faces) this.putFaces(axes, m, this.low - reach, this.high + reach);
    for (const {signs, bar} of this.walls) {
      const side = (sign, size, gap) => sign * (size / 2 + (m * gap) / 2 + thick / 2 + view.painter.line);
      const at = (s) =>
        add(
          add(from, scale(s, u)),
          add(
            scale(side(signs[0], play.height, play.play), v),
            scale(signs[1] ? side(signs[1], play.width, play.side_play) : 0, w),
          ),
        );
      bar.set(at(this.low - reach), at(this.high + reach));
    }
    for (const {from: a, to: b, bar} of this.edges) {
      bar.group.visible = Boolean(corners);
      if (corners) bar.set(corners[a], corners[b]);
    }
    this.dots.forEach((dot, k) => {
      dot.mesh.visible = Boolean(corners);
      if (corners)
        dot.put(corners[k], modes[k], (Math.round(modes[k]) > 0 ? 0.022 : 0.012) * view.halfHeight());
    });
    this.force.put(middle, force);
  }
}

class Stops {
  constructor(view, play, joint) {
    const {painter} = view;
    Object.assign(this, {view, play, joint});
    this.posts = posts(view.machine, joint, play, view.motion.poses(view.motion.start)).map(({side, radius}) => {
      const fill = painter.material('#000'),
        bar = new Bar(painter, 2 * radius, fill, view.outline, LAYER.bearing);
      view.scene.add(bar.group);
      return {side, fill, bar};
    });
  }
  room() {
    const {machine} = this.view,
      at = place(machine.poses[this.joint.body[0]], this.joint.at[0]);
    return 1.2 * Math.max(...posts(machine, this.joint, this.play, machine.poses).map((p) => norm(sub(p.ends[1], at))));
  }
  layout(now, m, state) {
    return {at: now.ends[this.joint.body[0]][this.joint.anchor[0]], m, modes: {min: 0, max: 0}, ...state};
  }
  put({modes, m}, now) {
    const {view, play, joint} = this,
      places = posts(view.machine, joint, play, now.poses, m);
    this.posts.forEach(({side, fill, bar}, i) => {
      bar.set(...places[i].ends);
      fill.color.set(Math.round(modes[side]) > 0 ? view.modeColour(modes[side]) : view.theme.steel);
    });
  }
}

class Teeth {
  constructor(view, play, joint) {
    const {painter, machine} = view;
    Object.assign(this, {view, play, joint, group: new THREE.Group()});
    view.scene.add(this.group);
    // A gear in space couples two angles: its teeth have no place.
    if (!machine.planar) return;
    const h = toothSize(play, machine),
      slope = Math.tan(play.pressure_angle),
      deep = 1.1 * h,
      out = (y) => Math.max(0.15 * h, h + y * slope);
    this.half = h;
    const shape = (points) =>
      new THREE.ShapeGeometry(new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y))));
    const put = (points, fill, layer) => {
      const made = new THREE.Group(),
        rim = points.concat([points[0]]);
      made.add(painter.mesh(shape(points), fill, layer));
      for (let i = 0; i + 1 < rim.length; i++) {
        const bar = new Bar(painter, 0.02 * machine.width, view.outline, view.outline, layer + 1);
        bar.set([...rim[i], 0], [...rim[i + 1], 0]);
        made.add(bar.group);
      }
      this.group.add(made);
      return made;
    };
    const glass = painter.mesh(new THREE.CircleGeometry(3.1 * h, 64), painter.ink('surface', 0.9), LAYER.bearing),
      rim = painter.mesh(
        new THREE.RingGeometry(3.1 * h - 2 * painter.line, 3.1 * h, 64),
        view.outline,
        LAYER.bearing + 1,
      );
    this.group.add(glass, rim);
    // Pale, so that the colours of modes stand out.
    const [first, second] = joint.body.map((b) =>
      painter.material(new THREE.Color(machine.bodies[b].colour).lerp(new THREE.Color('#fff'), 0.6)),
    );
    this.tooth = put(
      [
        [-out(-deep), -deep],
        [out(-deep), -deep],
        [out(deep), deep],
        [-out(deep), deep],
      ],
      second,
      LAYER.journal,
    );
    // The neighbours, mirrored: each has the flank that the tooth can meet.
    this.walls = [-1, 1].map((side) =>
      put(
        [
          [side * out(-deep), -deep],
          [side * out(deep), deep],
          [side * (out(deep) + 0.7 * h), deep],
          [side * (out(deep) + 0.7 * h), -deep],
        ],
        first,
        LAYER.journal,
      ),
    );
    this.flanks = [-1, 1].map((side) => {
      const fill = painter.material('#000'),
        strip = painter.mesh(
          shape([
            [side * out(-deep), -deep],
            [side * out(deep), deep],
            [side * (out(deep) - 0.22 * h), deep],
            [side * (out(-deep) - 0.22 * h), -deep],
          ]),
          fill,
          LAYER.contact,
        );
      this.tooth.add(strip);
      return {fill, strip};
    });
  }
  room() {
    return 3.4 * (this.half ?? this.view.machine.width);
  }
  layout(now, m, state) {
    if (!this.tooth) return {at: [0, 0, 0]};
    const {at, n, sign} = mesh(this.joint, now.poses);
    return {at, n, sign, m, x: [0], half: [this.play.backlash / 2], modes: [0, 0], ...state};
  }
  /** x to the side of the first flank, y from the first wheel to the second. */
  put({at, n, sign, x, half, modes, m}) {
    if (!this.tooth) return;
    const across = m / Math.cos(this.play.pressure_angle);
    this.group.position.copy(vector(at));
    this.group.rotation.z = Math.atan2(-n[0], n[1]);
    this.tooth.position.x = sign * across * x[0];
    this.walls.forEach((wall, k) => (wall.position.x = (k ? 1 : -1) * across * half[0]));
    this.flanks.forEach(({fill, strip}, k) => {
      const mode = modes[(k === 1) === sign > 0 ? 0 : 1];
      strip.visible = Math.round(mode) > 0;
      fill.color.set(this.view.modeColour(mode));
    });
  }
}

export const SOLIDS = {circle: Circle, channel: Channel, stops: Stops, teeth: Teeth};
