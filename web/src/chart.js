// SPDX-License-Identifier: MIT
//
// The chart of a joint with play beside the machine: the path of a journal in its circle or of a block between its
// limits, the position of stops and teeth over time; coloured by mode, with the present place marked (plays.js).
import {colour, element, onTheme} from './dom.js';
import {contactTimes, indexAt} from './data.js';
import {ownEvents, PICTURES} from './plays.js';

const SIDE = 240; // px
const REACH = 1.22; // half the side of the picture at least, where 1 is contact
const MARGIN = 1.04; // around a deep path
const TAIL = 4000; // frames drawn at most
const PALE = 0.25; // the transient that the model discards

/** The frames of a run that are drawn: {state, time}. */
function* drawn(motion, index) {
  const read = motion.readers[index],
    n = motion.frames.count;
  for (let k = 0; k < n; k += Math.max(1, Math.floor(n / TAIL))) yield {state: read(k), time: motion.frames.time[k]};
}

const chartOf = (play, joint, motion) =>
  PICTURES[play.drawn].chart(play, {joint, motion, read: motion.readers[play.index], count: motion.frames.count});

/** The mode of a path between two frames, as a function of them. A row at an event has the mode that begins there; where a
 * contact begins or ends between the frames, it is free flight unless parts touch during most of the time. */
function modesBetween(play, joint, {events, everyEvent}) {
  const paths = [[], []];
  for (const {event, path} of ownEvents(play, joint, events)) paths[path].push(event);
  const marks = paths.map((list) => list.map((e) => e.time)),
    touching = paths.map((list) => contactTimes(list).sort((a, b) => a[0] - b[0]));
  return (from, to, i) => {
    if (!everyEvent) return to.modes[i] && from.modes[i];
    const k = indexAt(marks[i], from.time),
      next = marks[i][k] > from.time ? marks[i][k] : marks[i][k + 1];
    if (!(next < to.time)) return from.modes[i];
    const shared = touching[i].reduce(
      (sum, [begin, end]) => sum + Math.max(0, Math.min(end, to.time) - Math.max(begin, from.time)),
      0,
    );
    return shared >= (to.time - from.time) / 2 ? from.modes[i] || to.modes[i] : 0;
  };
}

export class Chart {
  constructor(play, joint, motion, label) {
    this.motion = motion;
    this.play = play;
    this.joint = joint;
    this.chart = chartOf(play, joint, motion);
    this.over = new AbortController();
    this.canvas = element('canvas', {
      width: 2 * SIDE,
      height: 2 * SIDE,
      role: 'img',
      ariaLabel: `What ${joint.name} does: ${this.chart.note}`,
    });
    this.text = element('p.small');
    this.note = element('span', this.words());
    this.node = element(
      'figure.orbit',
      this.canvas,
      element(
        'figcaption',
        element('strong', label ? `${joint.name}, ${label}` : joint.name),
        this.note,
        this.text,
      ),
    );
    this.past = document.createElement('canvas');
    this.past.width = this.past.height = 2 * SIDE;
    this.drawPast();
    onTheme(() => {
      this.drawPast();
      this.update(this.time);
    }, this.over.signal);
  }
  /** Another run of the same machine, and the run before, dashed. */
  replace(play, joint, motion, ghost) {
    this.play = play;
    this.joint = joint;
    this.motion = motion;
    this.chart = chartOf(play, joint, motion);
    const before = ghost?.plays[play.index];
    this.ghost =
      before?.drawn === play.drawn && ghost.readers[play.index] ? {motion: ghost, chart: chartOf(before, joint, ghost)} : null;
    this.note.textContent = this.words();
    this.drawPast();
  }
  destroy() {
    this.over.abort();
  }
  words() {
    return ` ${this.chart.note}${this.motion.begin > this.motion.start ? '; the transient is pale' : ''}`;
  }
  toPixels([x, y]) {
    return [SIDE * (1 + x / (this.chart.across ?? this.reach)), SIDE * (1 - y / this.reach)];
  }
  stroke(g, points) {
    g.beginPath();
    points.forEach((p, i) => g[i ? 'lineTo' : 'moveTo'](...this.toPixels(p)));
    g.stroke();
  }
  /** How far paths and limits reach: no part of a deep contact or a worn bearing is cut off. */
  measure() {
    this.reach = REACH;
    const hold = (points) => {
      for (const [x, y] of points)
        this.reach = Math.max(this.reach, MARGIN * Math.max(this.chart.across ? 0 : Math.abs(x), Math.abs(y)) || 0);
    };
    for (const {motion, chart} of [this, this.ghost].filter(Boolean)) {
      chart.limits.forEach(hold);
      for (const {state, time} of drawn(motion, this.play.index)) hold(chart.at(state, time));
    }
  }
  drawPast() {
    const g = this.past.getContext('2d'),
      {motion, chart} = this;
    this.measure();
    g.clearRect(0, 0, 2 * SIDE, 2 * SIDE);
    g.lineWidth = 2;
    g.strokeStyle = colour('line');
    const {across = this.reach} = chart;
    this.stroke(g, [
      [-across, 0],
      [across, 0],
    ]);
    this.stroke(g, [
      [0, -this.reach],
      [0, this.reach],
    ]);
    if (this.ghost) this.drawGhost(g);
    g.lineWidth = 1.6;
    const inks = ['gap', 'impact', 'following'].map(colour),
      modeBetween = modesBetween(this.play, this.joint, motion),
      modes = chart.modes ?? (({mode}) => [mode]);
    let last = null;
    for (const {state, time} of drawn(motion, this.play.index)) {
      const now = {time, points: chart.at(state, time), modes: modes(state).map(Math.round)};
      g.globalAlpha = time <= motion.begin ? PALE : 1;
      last?.points.forEach((p, i) => {
        g.strokeStyle = inks[modeBetween(last, now, i)] ?? inks[0];
        this.stroke(g, [p, now.points[i]]);
      });
      last = now;
    }
    g.globalAlpha = 1;
    g.setLineDash([9, 7]);
    g.strokeStyle = colour('ink');
    g.lineWidth = 2.5;
    for (const line of chart.limits) this.stroke(g, line);
    g.setLineDash([]);
  }
  drawGhost(g) {
    const {motion, chart} = this.ghost,
      ways = [...drawn(motion, this.play.index)].map(({state, time}) => chart.at(state, time));
    g.setLineDash([6, 6]);
    g.lineWidth = 1.6;
    g.strokeStyle = colour('steel');
    ways[0]?.forEach((_, i) => this.stroke(g, ways.map((points) => points[i])));
    g.setLineDash([]);
  }
  update(t) {
    this.time = t;
    const g = this.canvas.getContext('2d'),
      now = this.motion.play(this.play.index, t);
    g.clearRect(0, 0, 2 * SIDE, 2 * SIDE);
    g.drawImage(this.past, 0, 0);
    g.fillStyle = colour('accent');
    g.strokeStyle = colour('surface');
    g.lineWidth = 4;
    for (const point of this.chart.at(now, t)) {
      g.beginPath();
      g.arc(...this.toPixels(point), 10, 0, 2 * Math.PI);
      g.stroke();
      g.fill();
    }
    this.text.textContent = this.chart.words(now);
  }
}
