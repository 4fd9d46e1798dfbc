// SPDX-License-Identifier: MIT
//
// The path of a journal's centre inside its circle of clearance, coloured by what the contact does, with where it is
// now. Lengths in shares of the radial clearance c.
import {colour, element, onTheme} from './dom.js';
import {quantity} from './data.js';
import {dot, norm, turn, unit} from './motion.js';
import {frame, gapOf} from './shapes.js';

const SIDE = 240; // px
const REACH = 1.22; // of c, half the side of the picture
const TAIL = 4000; // frames drawn at most

/** Two directions across the joint's axis at the start: x and y in the plane. */
function acrossAxis(joint, motion) {
  const axis =
    joint.axis && norm(joint.axis) > 0
      ? turn(motion.poses(motion.start)[joint.body[0]].e, unit(joint.axis))
      : [0, 0, 1];
  if (Math.abs(axis[2]) > 0.999)
    return [
      [1, 0, 0],
      [0, 1, 0],
    ];
  const [, u, v] = frame(axis);
  return [u, v];
}

export class Orbit {
  constructor(joint, motion, label) {
    this.motion = motion;
    this.joint = joint;
    this.gap = gapOf(joint);
    this.basis = acrossAxis(joint, motion);
    this.canvas = element('canvas', {
      width: 2 * SIDE,
      height: 2 * SIDE,
      role: 'img',
      ariaLabel: `Path of the journal in ${joint.name}`,
    });
    this.text = element('p.small');
    this.node = element(
      'figure.orbit',
      this.canvas,
      element(
        'figcaption',
        element('strong', label ? `${joint.name}, ${label}` : joint.name),
        ` c = ${quantity(this.gap, 'm')}`,
        this.text,
      ),
    );
    this.past = document.createElement('canvas');
    this.past.width = this.past.height = 2 * SIDE;
    this.drawPast();
    onTheme(() => {
      this.drawPast();
      this.update(this.time);
    });
  }
  at(e) {
    const [x, y] = this.basis.map((u) => dot(u, e) / (REACH * this.gap));
    return [SIDE * (1 + x), SIDE * (1 - y)];
  }
  drawPast() {
    const g = this.past.getContext('2d'),
      {motion, joint} = this,
      n = motion.frames.count;
    const read = motion.plays[joint.index],
      radius = SIDE / REACH;
    g.clearRect(0, 0, 2 * SIDE, 2 * SIDE);
    g.lineWidth = 2;
    g.strokeStyle = colour('line');
    g.beginPath();
    g.moveTo(0, SIDE);
    g.lineTo(2 * SIDE, SIDE);
    g.moveTo(SIDE, 0);
    g.lineTo(SIDE, 2 * SIDE);
    g.stroke();
    g.lineWidth = 1.6;
    const inks = ['gap', 'impact', 'following'].map(colour),
      step = Math.max(1, Math.floor(n / TAIL));
    let last = null;
    for (let k = 0; k < n; k += step) {
      const {e, mode} = read(k),
        point = this.at(e);
      if (last) {
        g.strokeStyle = inks[Math.round(mode)] ?? inks[0];
        g.beginPath();
        g.moveTo(...last);
        g.lineTo(...point);
        g.stroke();
      }
      last = point;
    }
    g.setLineDash([9, 7]);
    g.strokeStyle = colour('ink');
    g.lineWidth = 2.5;
    g.beginPath();
    g.arc(SIDE, SIDE, radius, 0, 2 * Math.PI);
    g.stroke();
    g.setLineDash([]);
  }
  update(t) {
    this.time = t;
    const g = this.canvas.getContext('2d'),
      now = this.motion.play(this.joint.index, t);
    g.clearRect(0, 0, 2 * SIDE, 2 * SIDE);
    g.drawImage(this.past, 0, 0);
    const [x, y] = this.at(now.e);
    g.fillStyle = colour('accent');
    g.strokeStyle = colour('surface');
    g.lineWidth = 4;
    g.beginPath();
    g.arc(x, y, 10, 0, 2 * Math.PI);
    g.stroke();
    g.fill();
    const share = Math.hypot(...now.e) / this.gap;
    this.text.textContent =
      `e/c ${share.toFixed(3)} · F ${quantity(Math.hypot(...now.force), 'N', 3)}` +
      (now.film !== null ? ` · film ${quantity(now.film, 'm', 3)}` : '');
  }
}
