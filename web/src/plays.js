// SPDX-License-Identifier: MIT
//
// Ways to have play, by the picture that the scene names (include/lash/scene.h): what is read of the frames, how far
// its gap can be magnified, what the chart beside the machine shows, and its words. play_solids.js draws them.
//
//   frees                 it replaces the ideal joint, and the pin or the rails that would be drawn
//   extent(play)          m, least size of the machine
//   ratio(play, machine)  size of the part over that of the gap; 1 or less: there is nothing to magnify
//   words(play)           its size
//   read(play, column)    a function of the frame, or null where it was not recorded: {mode, force, …}
//   path(contact)         which path of the chart shows a contact, named by what follows the joint's name (.end2); −1: none
//   moves                 which of its values are interpolated between frames
//   chart(play, run)      {note, at(state, t): points, limits: polylines, words(state)}; 1 is where parts touch;
//                         modes(state) of the points, where there are several; across: half its width, where that is
//                         no play
import {number, quantity} from './data.js';
import {conjugate, cross, dot, norm, turn, unit} from './motion.js';
import {mesh, stopsRatio} from './places.js';
import {frame} from './shapes.js';

const TOOTH = 0.035; // half the width of a tooth in the picture, as a share of the machine's size …
const OF_WHEEL = 0.2; // … or of the smaller wheel's radius, if that is less …
const LEAST_TOOTH = 0.016; // … but no less than this share of the machine: lines must not hide it
const ROUND = 96;
const FINE = 360; // directions in which a worn surface is sampled
const SPAN = 1.1; // half the width of a path over time …
const ACROSS = 1.22; // … and of its chart

const degrees = (x) => `${number(Math.abs(x) < 1e-9 ? 0 : (x * 180) / Math.PI)}°`;
const measure = (x, turns) => (turns ? degrees(x) : quantity(x, 'm'));
const at = (values, k) => (values ? values[k] : 0);
/** What is nothing but rounding, of a size, is 0. */
const rounded = (x, size) => (Math.abs(x) < 1e-9 * size ? 0 : x);
const largest = (list) => list.reduce((a, b) => Math.max(a, b), 0);

/** Worn depths of a part, m: around it by the angle, or along a channel; 0 where it is as new. Parts 0 and 1 are bearing
 * and journal, or the faces of a channel; of a pin in space those of its first end, and 2 and 3 those of its second. */
export function wornDepth(play, part, at) {
  const {from, step, depths} = play.worn ?? {depths: []},
    list = depths[part] ?? [],
    x = (at - from) / step,
    k = Math.floor(x),
    pick = (i) => list[play.drawn === 'circle' ? ((i % list.length) + list.length) % list.length : i] ?? 0;
  return list.length ? pick(k) + (x - k) * (pick(k + 1) - pick(k)) : 0;
}
/** The angle in the bearing's axes at which a journal at e there, turned by alpha, is deepest. */
export function deepest(play, [x, y], alpha) {
  let best = -Infinity,
    where = 0;
  for (let i = 0; i < FINE; i++) {
    const phi = (2 * Math.PI * i) / FINE,
      d = x * Math.cos(phi) + y * Math.sin(phi) - wornDepth(play, 0, phi) - wornDepth(play, 1, phi - alpha);
    if (d > best) [best, where] = [d, phi];
  }
  return where;
}
const wornWords = (play) =>
  play.worn
    ? `, worn ${[0, 1]
        .map((part) => play.worn.depths.filter((_, i) => i % 2 === part).flat())
        .map((list) => quantity(Math.max(0, ...list), 'm', 3))
        .join(' and ')} deep`
    : '';
/** The largest e in each direction that leaves a journal, turned as it may be, in a worn bearing, over the gap. */
function wornLimit(play, gap, bearing) {
  const journal = play.worn.depths[bearing + 1],
    inner = journal?.length ? Math.min(...journal) : 0;
  return Array.from({length: ROUND + 1}, (_, i) => {
    const theta = (2 * Math.PI * i) / ROUND;
    let most = Infinity;
    for (let k = 0; k < FINE; k++) {
      const phi = (2 * Math.PI * k) / FINE,
        c = Math.cos(phi - theta);
      if (c > 0) most = Math.min(most, (gap + wornDepth(play, bearing, phi) + inner) / c);
    }
    return [(most / gap) * Math.cos(theta), (most / gap) * Math.sin(theta)];
  });
}

/** Axes of a worn bearing in those of its body: from where angles are counted, across, and along the joint's axis. */
export function wornAxes(play, joint) {
  const axis = joint.axis && norm(joint.axis) > 0 ? unit(joint.axis) : [0, 0, 1];
  return [play.worn.mark, cross(axis, play.worn.mark), axis];
}

const circle = {
  frees: true,
  extent: (play) => 3 * play.bearing,
  ratio: (play, {size}) => (play.journal || 0.01 * size) / (play.bearing - play.journal),
  words: (play) =>
    `c = ${quantity(play.bearing - play.journal, 'm')}` + (play.journal ? `, R = ${quantity(play.bearing, 'm')}` : '') + wornWords(play),
  path: (contact) => ['', '.end1'].includes(contact) ? 0 : contact === '.end2' ? 1 : -1,
  moves: ['e', 'ends'],
  read(play, column) {
    const [ex, ey, ez, fx, fy, fz, mode, film] = ['ex', 'ey', 'ez', 'fx', 'fy', 'fz', 'mode', 'film'].map(column);
    if (!ex || !ey) return null;
    // A long bearing in space touches at either end.
    const ends = ['end1', 'end2']
      .map((end) => ['ex', 'ey', 'ez', 'mode'].map((q) => column(`${end}.${q}`)))
      .filter((c) => c[0] && c[1]);
    return (k) => ({
      ends: ends.map((c) => [c[0][k], c[1][k], at(c[2], k)]),
      e: [ex[k], ey[k], at(ez, k)],
      force: [at(fx, k), at(fy, k), at(fz, k)],
      endModes: ends.map((c) => at(c[3], k)),
      mode: ends.length ? largest(ends.map((c) => at(c[3], k))) : at(mode, k),
      film: film ? film[k] : null,
    });
  },
  chart(play, {joint, motion}) {
    const modes = ({endModes, mode}) => (endModes.length ? endModes : [mode]);
    // Two directions across the joint's axis at the start: x and y in the plane.
    const gap = play.bearing - play.journal,
      axis =
        joint.axis && norm(joint.axis) > 0
          ? turn(motion.poses(motion.start)[joint.body[0]].e, unit(joint.axis))
          : [0, 0, 1];
    const basis =
      Math.abs(axis[2]) > 0.999
        ? [
            [1, 0, 0],
            [0, 1, 0],
          ]
        : frame(axis).slice(1);
    if (play.worn) {
      // In the axes of the bearing, which its surface turns with.
      const axes = wornAxes(play, joint),
        inside = (e, t) => turn(conjugate(motion.poses(t)[joint.body[0]].e), e),
        shown = ({e, ends}) => (ends.length ? ends : [e]);
      return {
        note: `c = ${quantity(gap, 'm')}${wornWords(play)}; axes of the bearing`,
        modes,
        at: (state, t) => shown(state).map((e) => axes.slice(0, 2).map((u) => dot(u, inside(e, t)) / gap)),
        limits: play.worn.depths.filter((_, i) => i % 2 === 0).map((_, end) => wornLimit(play, gap, 2 * end)),
        words: (state) =>
          `e/c ${shown(state)
            .map((e) => (norm(e) / gap).toFixed(3))
            .join(' and ')} · F ${quantity(norm(state.force), 'N', 3)}`,
      };
    }
    return {
      note: `c = ${quantity(gap, 'm')}${joint.type === 'spherical' ? ', seen along z' : ''}`,
      modes,
      // Both ends of a pin that tilts; they are what touches.
      at: ({e, ends}) => (ends.length ? ends : [e]).map((p) => basis.map((u) => dot(u, p) / gap)),
      limits: [
        Array.from({length: ROUND + 1}, (_, i) => [
          Math.cos((2 * Math.PI * i) / ROUND),
          Math.sin((2 * Math.PI * i) / ROUND),
        ]),
      ],
      words: ({e, ends, force, film}) =>
        `e/c ${(ends.length ? ends : [e]).map((p) => (norm(p) / gap).toFixed(3)).join(' and ')} · F ${quantity(norm(force), 'N', 3)}` +
        (film === null ? '' : film > 0 ? ` · film ${quantity(film, 'm', 3)}` : ` · film 0, pressed in by ${quantity(-film, 'm', 3)}`),
    };
  },
};

const channel = {
  frees: true,
  extent: (play) => 1.5 * play.length,
  ratio: (play) => play.height / play.play,
  words: (play) =>
    `play ${quantity(play.play, 'm')}` +
    (play.width && play.side_play !== play.play ? ` and ${quantity(play.side_play, 'm')}` : '') +
    `, block ${[play.length, play.height, play.width]
      .filter(Boolean)
      .map((x) => quantity(x, 'm'))
      .join(' × ')}` +
    wornWords(play),
  path: (contact) => (contact.startsWith('.corner') ? 0 : -1),
  moves: ['offset', 'tilt'],
  read(play, column) {
    const [offset, side, tilt, fx, fy, fz] = ['offset', 'side_offset', 'tilt', 'fx', 'fy', 'fz'].map(column);
    if (!offset || !tilt) return null;
    // Each corner meets one wall, in space two (a, b).
    const corners = Array.from({length: play.width ? 8 : 4}, (_, i) =>
      ['', 'a', 'b'].map((wall) => column(`corner${i + 1}${wall}.mode`)).filter(Boolean),
    );
    return (k) => {
      const modes = corners.map((walls) => largest(walls.map((w) => w[k])));
      return {
        offset: [offset[k], at(side, k)],
        tilt: [tilt[k]],
        modes,
        mode: largest(modes),
        force: [at(fx, k), at(fy, k), at(fz, k)],
      };
    };
  },
  chart(play) {
    // In the plane a corner touches where offset + L/2 sin tilt − h/2 (1 − cos tilt) = p/2: nearly a rhombus.
    const half = play.play / 2,
      most = (tilt) => half - (play.length / 2) * Math.sin(tilt) + (play.height / 2) * (1 - Math.cos(tilt)),
      square = [
        [1, 1],
        [-1, 1],
        [-1, -1],
        [1, -1],
        [1, 1],
      ],
      side = Array.from({length: ROUND}, (_, i) => (1.5 * i * play.play) / play.length / ROUND)
        .filter((tilt) => most(tilt) >= 0)
        .map((tilt) => [most(tilt) / half, (tilt * play.length) / play.play]),
      upper = [...side, ...side.map(([x, y]) => [-x, y]).reverse()],
      rhomb = [...upper, ...upper.map(([x, y]) => [-x, -y]), upper[0]];
    return {
      note: `play ${quantity(play.play, 'm')}${play.worn ? ' when new' : ''}: → offset, ↑ ${play.width ? 'offset to the side' : 'tilt'}`,
      at: ({offset, tilt}) => [
        [offset[0] / half, play.width ? offset[1] / (play.side_play / 2) : (tilt[0] * play.length) / play.play],
      ],
      limits: [play.width ? square : rhomb],
      words: ({offset, tilt, force}) =>
        `offset ${quantity(rounded(offset[0], half), 'm', 3)} · tilt ${degrees(tilt[0])} · F ${quantity(norm(force), 'N', 3)}`,
    };
  },
};

/** A value over time between limits: a line for each that there is. */
const overTime = ({motion}, value, low, high) => ({
  at: (state, t) => [
    [
      SPAN * ((2 * (t - motion.start)) / (motion.end - motion.start || 1) - 1),
      (2 * (value(state) - low)) / (high - low || 1) - 1,
    ],
  ],
  line: (y) => [
    [-SPAN, y],
    [SPAN, y],
  ],
});

const stops = {
  frees: false,
  extent: () => 0,
  ratio: (play, {size}) => stopsRatio(play, size),
  words: (play) => {
    const shown = (x) => (x === undefined ? '–' : measure(x, play.turns));
    return `stops at ${shown(play.min)} and ${shown(play.max)}`;
  },
  path: (contact) => (['.min', '.max'].includes(contact) ? 0 : -1),
  moves: ['value'],
  read(play, column) {
    const [value, low, high, first, second] = [
      play.turns ? 'angle' : 's',
      'min.mode',
      'max.mode',
      'min.fn',
      'max.fn',
    ].map(column);
    if (!value) return null;
    return (k) => ({
      value: [value[k]],
      modes: {min: at(low, k), max: at(high, k)},
      mode: Math.max(at(low, k), at(high, k)),
      force: [Math.max(at(first, k), at(second, k)), 0, 0],
    });
  },
  chart(play, run) {
    let low = play.min ?? Infinity,
      high = play.max ?? -Infinity;
    for (let k = 0; (play.min === undefined || play.max === undefined) && k < run.count; k++) {
      const [value] = run.read(k).value;
      if (play.min === undefined) low = Math.min(low, value);
      if (play.max === undefined) high = Math.max(high, value);
    }
    const {at: place, line} = overTime(run, (state) => state.value[0], low, high);
    return {
      note: `${stops.words(play)}, over time`,
      across: ACROSS,
      at: place,
      limits: [...(play.min === undefined ? [] : [line(-1)]), ...(play.max === undefined ? [] : [line(1)])],
      words: ({value, force}) =>
        `${measure(value[0], play.turns)} · ${quantity(force[0], play.turns ? 'N m' : 'N', 3)}`,
    };
  },
};

/** Half the width of the tooth in the picture, m. */
export const toothSize = (play, machine) =>
  Math.max(
    LEAST_TOOTH * machine.size,
    Math.min(TOOTH * machine.size, OF_WHEEL * mesh(machine.joints[play.joint], machine.poses).least),
  );

const teeth = {
  frees: false,
  extent: () => 0,
  ratio: (play, machine) =>
    machine.planar && play.backlash ? (2 * toothSize(play, machine) * Math.cos(play.pressure_angle)) / play.backlash : 1,
  words: (play) => `backlash ${measure(play.backlash, play.turns)}`,
  path: (contact) => (contact.startsWith('.flank') ? 0 : -1),
  moves: ['x', 'half'],
  read(play, column) {
    const [first, second, one, two, force] = [
      'flank1.delta',
      'flank2.delta',
      'flank1.mode',
      'flank2.mode',
      'force',
    ].map(column);
    if (!first || !second) return null;
    // δ = ±x − half: half the gap grows as the wheels' centres move apart.
    return (k) => ({
      x: [(first[k] - second[k]) / 2],
      half: [-(first[k] + second[k]) / 2],
      modes: [at(one, k), at(two, k)],
      mode: Math.max(at(one, k), at(two, k)),
      force: [at(force, k), 0, 0],
    });
  },
  chart(play, run) {
    // In shares of half the gap of that moment; where there is none, of the largest displacement.
    let most = 0;
    for (let k = 0; k < run.count; k++) most = Math.max(most, Math.abs(run.read(k).x[0]));
    const gap = ({half}) => (play.backlash > 0 ? half[0] : most || 1),
      {at: place, line} = overTime(run, (state) => state.x[0] / gap(state), -1, 1);
    return {
      note: `${teeth.words(play)}, over time`,
      across: ACROSS,
      at: place,
      limits: play.backlash > 0 ? [line(-1), line(1)] : [line(0)],
      words: ({x, force}) =>
        `${play.turns ? degrees(x[0]) : quantity(rounded(x[0], most), 'm', 3)} · ${quantity(force[0], play.turns ? 'N m' : 'N', 3)}`,
    };
  },
};

export const PICTURES = {circle, channel, stops, teeth};
/** Whether a play replaces the ideal joint. */
export const isFreed = (joint) => joint.plays.some((play) => PICTURES[play.drawn].frees);

/** Events of contacts that a play has, and on which path of its chart. */
export function* ownEvents(play, joint, events) {
  for (const event of events)
    if (event.joint === joint.name || event.joint.startsWith(`${joint.name}.`)) {
      const path = PICTURES[play.drawn].path(event.joint.slice(joint.name.length));
      if (path >= 0) yield {event, path};
    }
}

/** The plays of all joints, one after the other, with the joint's index. */
export const listPlays = (scene) =>
  scene.joints.flatMap((joint, j) => joint.plays.map((play) => ({...play, joint: j}))).map((p, index) => ({...p, index}));

/** Magnifications that show the play well: at first the smallest gap is a third of its part. */
export function usefulMagnification(machine) {
  const ratios = machine.plays
    .map((play) => PICTURES[play.drawn].ratio(play, machine))
    .filter((x) => Number.isFinite(x) && x > 1);
  if (!ratios.length) return {start: 1, most: 1};
  const ratio = Math.min(...ratios);
  return {start: Math.max(1, Number((0.35 * ratio).toPrecision(2))), most: Math.max(1, 1.5 * ratio)};
}
