// SPDX-License-Identifier: MIT
//
// The machine in motion (three.js), with its play magnified.
//
// Play is drawn by play_solids.js. Bodies are drawn where they are, except for magnified parts: the end of a link that
// carries a journal moves with it, and so does, as a whole, a body that is held by that one point or by a channel.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {indexAt} from './data.js';
import {colour, element, onTheme} from './dom.js';
import {add, cross, dot, norm, place, scale, sub, turn, unit} from './motion.js';
import {groundUp, guide} from './places.js';
import {LAYER as ABOVE, SOLIDS} from './play_solids.js';
import {isFreed, ownEvents} from './plays.js';
import {Bar, fixedPart, Painter, quaternion, vector} from './solids.js';
import {besideJoint, frame} from './shapes.js';

const MODES = ['gap', 'impact', 'following'];
const COILS = 8;
const FIT_LOOKS = 40; // moments at which is measured how much room everything takes …
const FIT_CORNERS = 100; // … by so many points of each part
const FIT_MARGIN = 1.1;

const LAYER = {
  ground: 0,
  body: 10, // eight for each
  spring: 6,
  ...ABOVE,
};

export class View {
  constructor(machine, motion) {
    this.machine = machine;
    this.motion = motion;
    this.time = motion.start;
    this.magnification = 1;
    this.follow = -1; // index of a play that is looked at
    this.names = false;
    this.impacts = []; // data.js, impactsOf
    this.flashTime = 0; // s of motion that a flash lasts
    this.over = new AbortController();
    this.painter = new Painter(machine.planar, machine.size);
    this.canvas = element('canvas', {tabIndex: 0, role: 'img', ariaLabel: 'The machine in motion'});
    this.labels = element('div.labels', {ariaHidden: 'true'});
    this.sparks = element('div.labels', {ariaHidden: 'true'});
    this.node = element('div.view', this.canvas, this.sparks, this.labels);
    this.renderer = new THREE.WebGLRenderer({canvas: this.canvas, antialias: true, alpha: true});
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.scene = new THREE.Scene();
    this.build();
    this.makeCamera();
    this.retint();
    onTheme(() => this.retint(), this.over.signal);
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.node);
  }

  /** The same machine after another run; the view stays as it was. */
  replace(machine, motion, magnification) {
    this.empty();
    this.magnification = magnification;
    this.framed = null;
    this.machine = machine;
    this.motion = motion;
    this.painter = new Painter(machine.planar, machine.size);
    this.build();
    this.painter.retint(colour);
    if (!this.moved) this.lookAt(this.frame().middle);
    this.resize();
  }

  empty() {
    this.scene.traverse((part) => {
      part.geometry?.dispose();
      for (const material of [part.material].flat()) material?.dispose();
    });
    this.scene.clear();
    this.labels.replaceChildren();
    this.sparks.replaceChildren();
  }

  destroy() {
    this.over.abort();
    this.watcher.disconnect();
    this.controls.dispose();
    this.empty();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // ---- what there is

  build() {
    const {machine, painter} = this;
    this.outline = painter.ink('ink');
    this.movers = []; // functions of {poses, ends} that put things in their place
    if (!machine.planar) {
      this.scene.add(new THREE.HemisphereLight('#ffffff', '#8a8f98', 2.2));
      const sun = new THREE.DirectionalLight('#ffffff', 1.6);
      sun.position.set(1, 2, 3);
      this.scene.add(sun);
    }
    this.buildGround();
    this.ranks = this.rankBodies();
    machine.bodies.forEach((body, b) => b && this.buildBody(body, b));
    machine.joints.forEach((joint) => this.buildJoint(joint));
    this.plays = machine.plays.map((play) => new SOLIDS[play.drawn](this, play, machine.joints[play.joint]));
    // Channels carry whole bodies: they are placed before journals.
    this.order = this.plays.map((_, i) => i).sort((a, b) => Boolean(this.plays[b].first) - Boolean(this.plays[a].first));
    this.strongest = this.findStrongest();
    this.flashes = machine.plays.map(() => element('i.flash', {hidden: true}));
    this.sparks.append(...this.flashes);
  }

  /** In the plane, larger layers are drawn above; in one layer, what carries a journal above what carries its bearing. */
  rankBodies() {
    const {bodies, joints} = this.machine,
      ranks = bodies.map((_, b) => b);
    for (let pass = 0; pass < bodies.length; pass++)
      for (const joint of joints) {
        const [i, j] = joint.body;
        if (isFreed(joint) && ranks[j] <= ranks[i] && ranks[i] < 2 * bodies.length) ranks[j] = ranks[i] + 1;
      }
    if (bodies.every((body) => body.layer === bodies[0].layer)) return ranks;
    const order = bodies.map((_, b) => b).sort((a, b) => bodies[a].layer - bodies[b].layer || ranks[a] - ranks[b]);
    return bodies.map((_, b) => order.indexOf(b));
  }

  buildBody(body, b) {
    const {painter, machine} = this,
      layer = LAYER.body + 8 * this.ranks[b];
    const fill = painter.material(body.colour, !painter.planar ? 1 : body.front ? 0.6 : 0.92);
    const wheel = painter.material(new THREE.Color(body.colour).lerp(new THREE.Color('#fff'), 0.25)),
      group = new THREE.Group();
    body.parts.forEach((part, k) => {
      if (part.kind === 'link') {
        const bar = new Bar(painter, part.width, fill, this.outline, layer);
        this.scene.add(bar.group);
        this.movers.push(({ends}) => bar.set(ends[b][part.from], ends[b][part.to]));
      } else {
        group.add(
          fixedPart(
            painter,
            part,
            part.teeth ? wheel : fill,
            this.outline,
            layer + (part.teeth && k ? 3 : 0),
            machine.size,
          ),
        );
      }
    });
    this.scene.add(group);
    group.matrixAutoUpdate = false;
    const one = new THREE.Vector3(1, 1, 1);
    this.movers.push(({poses, shift, warp}) => {
      group.matrix.compose(vector(add(poses[b].p, shift[b])), quaternion(poses[b].e), one);
      if (warp[b]) group.matrix.premultiply(this.warpMatrix(warp[b]));
    });
    body.label = element('span', body.name);
    this.labels.append(body.label);
  }

  /** x → to + carry(x − from) as a matrix. */
  warpMatrix({from, to, carry}) {
    const columns = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ].map((x) => vector(carry(x)));
    return new THREE.Matrix4().makeBasis(...columns).setPosition(vector(sub(to, carry(from))));
  }

  buildGround() {
    const {machine, painter} = this,
      ink = painter.ink('muted'),
      w = machine.width;
    for (const joint of machine.joints) {
      const end = joint.body.indexOf(0);
      if (end < 0) continue;
      const at = joint.at[end];
      if (/^(translational|prismatic|point-on-line|cylindrical)$/.test(joint.type) && joint.axis)
        isFreed(joint) || this.buildRails(joint, ink);
      else if (machine.planar && /^(revolute|fixed|spring)$/.test(joint.type)) {
        // Below a pin; behind the end of a spring.
        const mark = new THREE.Group(),
          put = (geometry, x, y, angle = 0) => {
            const part = painter.mesh(geometry, ink, LAYER.ground);
            part.position.set(x * w, y * w, 0);
            part.rotation.z = angle;
            mark.add(part);
          },
          [x, y] = groundUp(joint, machine.poses),
          floor = joint.type === 'spring' ? 0 : -1.5;
        mark.position.copy(vector(at));
        mark.rotation.z = Math.atan2(-x, y);
        if (floor)
          put(new THREE.ShapeGeometry(new THREE.Shape([[0, 0], [0.9, floor], [-0.9, floor]].map(([x, y]) => new THREE.Vector2(x * w, y * w)))), 0, 0);
        for (let i = -2; i <= 2; i++) put(new THREE.PlaneGeometry(0.75 * w, 0.09 * w), 0.5 * i - 0.15, floor - 0.28, Math.PI / 4);
        put(new THREE.PlaneGeometry(2.9 * w, 0.12 * w), 0, floor);
        this.scene.add(mark);
      } else if (!machine.planar) {
        const foot = painter.mesh(new THREE.BoxGeometry(1.2 * w, 1.2 * w, 1.2 * w), ink, LAYER.ground);
        foot.position.copy(vector(at));
        this.scene.add(foot);
      }
    }
  }

  /** How far the second point of a joint goes along its axis, from the first. */
  travel(joint) {
    const {motion} = this;
    let low = Infinity,
      high = -Infinity;
    const times = motion.moves ? motion.frames.time : [0];
    for (let i = 0; i < times.length; i += Math.max(1, Math.floor(times.length / 500))) {
      const {s} = guide(joint, motion.poses(times[i]));
      low = Math.min(low, s);
      high = Math.max(high, s);
    }
    return [low, high];
  }

  /** Guides of a slider, as long as its travel. */
  buildRails(joint, ink) {
    const {machine, motion, painter} = this,
      end = joint.body.indexOf(0),
      w = machine.width;
    let [low, high] = this.travel(joint);
    if (end) [low, high] = [-high, -low];
    const {u} = guide(joint, motion.poses(motion.end));
    const slot = joint.type === 'point-on-line',
      reach = slot ? w : 0.09 * machine.size,
      [, v] = frame(u);
    const side = machine.planar ? [-u[1], u[0], 0] : v;
    for (const sign of [-1, 1]) {
      const room = slot ? 0.45 * w : besideJoint(machine, joint, motion.poses(motion.end), side) + 0.15 * w;
      const apart = scale(sign * room, side);
      const bar = new Bar(painter, 0.1 * w, ink, ink, LAYER.ground);
      const at = (s) => add(add(joint.at[end], apart), scale(s, u));
      bar.set(at(low - reach), at(high + reach));
      this.scene.add(bar.group);
    }
  }

  buildJoint(joint) {
    const {painter, machine} = this;
    if (joint.type === 'spring' || joint.type === 'distance') return this.buildSpring(joint);
    if (isFreed(joint)) return;
    if (!/^(revolute|spherical|universal|cylindrical|point-on-line)$/.test(joint.type)) return;
    const radius = 0.3 * machine.width;
    let pin;
    if (painter.planar) {
      pin = new THREE.Group();
      pin.add(
        painter.mesh(new THREE.CircleGeometry(radius + 2 * painter.line, 32), this.outline, LAYER.joint),
        painter.mesh(new THREE.CircleGeometry(radius, 32), painter.ink('surface'), LAYER.joint + 1),
      );
    } else if (joint.type === 'revolute' || joint.type === 'cylindrical') {
      pin = painter.mesh(
        new THREE.CylinderGeometry(0.62 * machine.width, 0.62 * machine.width, 1.7 * machine.width, 32).rotateX(
          Math.PI / 2,
        ),
        painter.ink('steel'),
        LAYER.joint,
      );
    } else {
      pin = painter.mesh(new THREE.SphereGeometry(0.8 * machine.width, 32, 20), painter.ink('steel'), LAYER.joint);
    }
    this.scene.add(pin);
    const second = joint.type === 'point-on-line' ? 1 : 0;
    this.movers.push(({poses, ends}) => {
      pin.position.copy(vector(ends[joint.body[second]][joint.anchor[second]]));
      if (!painter.planar && joint.axis) pin.quaternion.copy(this.axisTurn(joint, poses));
    });
  }

  /** The turn from z to a joint's axis in ground axes. */
  axisTurn(joint, poses) {
    const axis = joint.axis && joint.axis.every((x) => x !== null) && norm(joint.axis) > 0 ? joint.axis : [0, 0, 1];
    return new THREE.Quaternion().setFromUnitVectors(
      new THREE.Vector3(0, 0, 1),
      vector(unit(turn(poses[joint.body[0]].e, axis))),
    );
  }

  buildSpring(joint) {
    const {painter, machine} = this,
      bars = [],
      count = joint.type === 'spring' ? 2 * COILS + 2 : 1;
    const ink = painter.ink('muted');
    for (let i = 0; i < count; i++) {
      bars.push(
        new Bar(
          painter,
          (joint.type === 'spring' ? 0.12 : 0.3) * machine.width + 2 * painter.line,
          ink,
          ink,
          LAYER.spring,
        ),
      );
      this.scene.add(bars[i].group);
    }
    this.movers.push(({ends}) => {
      const a = ends[joint.body[0]][joint.anchor[0]],
        b = ends[joint.body[1]][joint.anchor[1]],
        way = sub(b, a);
      const side = machine.planar ? unit([-way[1], way[0], 0]) : frame(way)[1];
      const point = (i) =>
        add(
          add(a, scale(i === 0 ? 0 : i === count ? 1 : (i - 0.5) / (count - 1), way)),
          scale(i === 0 || i === count ? 0 : (i % 2 ? 0.55 : -0.55) * machine.width, side),
        );
      bars.forEach((bar, i) => bar.set(point(i), point(i + 1)));
    });
  }

  /** The largest force that is drawn as an arrow. */
  findStrongest() {
    let most = 0;
    for (const {play, force} of this.plays)
      if (force && this.motion.readers[play.index])
        for (let k = 0; k < this.motion.frames.count; k++)
          most = Math.max(most, norm(this.motion.readers[play.index](k).force));
    return most;
  }

  // ---- looking

  makeCamera() {
    const {machine} = this;
    this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -50 * machine.size, 50 * machine.size);
    this.camera.up.copy(vector(machine.up));
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.enableZoom = false; // the wheel scrolls the page unless the picture was clicked
    this.controls.addEventListener('change', () => this.render());
    this.controls.addEventListener('start', () => (this.moved = true));
    this.canvas.addEventListener('focus', () => (this.controls.enableZoom = true));
    this.canvas.addEventListener('blur', () => (this.controls.enableZoom = false));
    this.controls.enableRotate = !machine.planar;
    if (machine.planar) this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    const up = machine.up,
      side = unit(cross(Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], up));
    this.direction = machine.planar
      ? [0, 0, 1]
      : unit(add(add(scale(1.1, side), scale(0.62, up)), scale(0.75, cross(up, side))));
  }

  /** Middle, width and height of the room that the machine needs over the run, as it is looked at first. */
  frame() {
    return (this.framed ??= this.measure());
  }
  measure() {
    const {machine, direction, motion} = this,
      right = unit(cross(machine.up, direction)),
      axes = [right, cross(direction, right)],
      low = [Infinity, Infinity],
      high = [-Infinity, -Infinity],
      hold = (p) =>
        axes.forEach((u, k) => {
          const x = dot(u, p);
          if (x < low[k]) low[k] = x;
          if (x > high[k]) high[k] = x;
        });
    machine.cloud.forEach(hold);
    const {count, time} = motion.moves ? motion.frames : {count: 1, time: [this.time]},
      looks = Math.min(FIT_LOOKS, count),
      corner = new THREE.Vector3();
    for (let i = 0; i < looks; i++) {
      this.arrange(time[Math.floor((i * (count - 1)) / Math.max(1, looks - 1))]);
      this.scene.updateMatrixWorld(true);
      this.scene.traverseVisible((part) => {
        const places = part.geometry?.attributes.position;
        if (!places || part.userData.sized) return;
        for (let k = 0; k < places.count; k += Math.ceil(places.count / FIT_CORNERS)) {
          corner.fromBufferAttribute(places, k).applyMatrix4(part.matrixWorld);
          if (Number.isFinite(corner.x + corner.y + corner.z)) hold(corner.toArray());
        }
      });
    }
    this.arrange(this.time);
    return {
      middle: axes.reduce((sum, u, k) => add(sum, scale((low[k] + high[k]) / 2, u)), [0, 0, 0]),
      extent: axes.map((_, k) => high[k] - low[k]),
    };
  }

  lookAt(middle) {
    this.controls.target.copy(vector(middle));
    this.camera.position.copy(vector(add(middle, scale(4 * this.machine.size, this.direction))));
    this.controls.update();
  }

  fit() {
    this.follow = -1;
    this.moved = false;
    this.framed = null;
    this.camera.zoom = 1;
    this.lookAt(this.frame().middle);
    this.resize();
  }

  zoom(factor) {
    this.camera.zoom *= factor;
    this.camera.updateProjectionMatrix();
    this.update(this.time, this.magnification);
  }

  /** Looks at a play, or at the whole machine (−1). */
  watch(index) {
    this.fit();
    this.follow = index;
    const play = this.plays[index];
    if (play) this.camera.zoom = this.half / (2.1 * play.room(this.magnification));
    this.camera.updateProjectionMatrix();
    this.update(this.time, this.magnification);
  }

  /** Half the height of what is seen, m. */
  halfHeight() {
    return this.half ? this.half / this.camera.zoom : this.machine.size;
  }

  modeColour(mode) {
    return this.modeColours?.[Math.round(mode)] ?? '#d55e00';
  }

  resize() {
    const width = this.node.clientWidth,
      height = this.node.clientHeight;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    const {machine} = this,
      [wide, high] = this.frame().extent;
    this.half = (FIT_MARGIN / 2) * Math.max(high, (wide * height) / width, 0.2 * machine.size);
    Object.assign(this.camera, {
      top: this.half,
      bottom: -this.half,
      left: (-this.half * width) / height,
      right: (this.half * width) / height,
    });
    this.camera.updateProjectionMatrix();
    this.update(this.time, this.magnification);
  }

  retint() {
    this.painter.retint(colour);
    this.modeColours = MODES.map((mode) => colour(mode));
    this.theme = {steel: colour('steel')};
    if (this.now) this.update(this.time, this.magnification);
    this.render();
  }

  // ---- a moment

  /** True and drawn places at a time. */
  layout(t) {
    const {machine, motion} = this,
      poses = motion.poses(t),
      m = this.magnification;
    const ends = machine.bodies.map((body, b) => body.anchors.map((at) => place(poses[b], at)));
    const now = {
      poses,
      ends,
      shift: machine.bodies.map(() => [0, 0, 0]),
      warp: machine.bodies.map(() => null),
      plays: [],
    };
    for (const i of this.order) now.plays[i] = this.plays[i].layout(now, m, motion.play(i, t));
    return now;
  }

  /** Puts everything in its place. */
  arrange(t) {
    const now = this.layout(t);
    this.now = now;
    for (const move of this.movers) move(now);
    now.plays.forEach((drawn, i) => this.plays[i].put(drawn, now));
    return now;
  }
  update(t, magnification) {
    this.time = t;
    this.magnification = magnification;
    const now = this.arrange(t);
    if (now.plays[this.follow]) this.lookAt(now.plays[this.follow].at);
    this.render();
  }

  /** Draws once with the next frame of the screen, however often it is called. */
  render() {
    this.frameAsked ??= requestAnimationFrame(() => this.paint());
  }
  paint() {
    this.frameAsked = null;
    if (!this.camera || this.over.signal.aborted) return;
    this.renderer.render(this.scene, this.camera);
    this.placeLabels();
    this.placeFlashes();
  }

  /** The picture as it is now, for a file. */
  picture() {
    this.paint();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }

  /** Where something is seen, as styles. */
  seen(node, at) {
    const p = vector(at).project(this.camera);
    node.style.left = `${((p.x + 1) / 2) * this.node.clientWidth}px`;
    node.style.top = `${((1 - p.y) / 2) * this.node.clientHeight}px`;
  }

  /** A recent impact lights up where it was. */
  placeFlashes() {
    if (!this.now || !this.impacts.length) return;
    const {plays, joints} = this.machine,
      light = plays.map(() => 0);
    for (let k = indexAt(this.times, this.time); k >= 0; k--) {
      const {time, joint, strength} = this.impacts[k],
        age = (this.time - time) / this.flashTime;
      if (!(age < 1)) break;
      if (age < 0) continue;
      const i = plays.findIndex((p) => !ownEvents(p, joints[p.joint], [this.impacts[k]]).next().done);
      if (i >= 0) light[i] = Math.max(light[i], (1 - age) * (0.35 + 0.65 * Math.sqrt(strength)));
    }
    this.flashes.forEach((flash, i) => {
      flash.hidden = !(light[i] > 0) || !this.now.plays[i]?.at;
      if (flash.hidden) return;
      flash.style.opacity = String(light[i]);
      flash.style.transform = `translate(-50%, -50%) scale(${0.4 + light[i]})`;
      this.seen(flash, this.now.plays[i].at);
    });
  }
  setImpacts(impacts) {
    this.impacts = impacts;
    this.times = impacts.map((e) => e.time);
  }

  placeLabels() {
    this.labels.hidden = !this.names;
    if (!this.names || !this.now) return;
    this.machine.bodies.forEach((body, b) => {
      if (!body.label) return;
      const ends = this.now.ends[b];
      const at = ends.length ? scale(1 / ends.length, ends.reduce(add)) : this.now.poses[b].p;
      this.seen(body.label, at);
    });
  }
}
