// SPDX-License-Identifier: MIT
//
// The data of the page: what src/cli/page_result.c and page_study.c wrote, as typed arrays by channel name; and
// numbers as people read them.

/** Numbers from base64 in little-endian order; numbers that have been read already are returned unchanged. */
export function decode(text, Type) {
  if (typeof text !== 'string') return text;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Type(bytes.buffer);
}

/** Columns of equally many numbers, one after the other, by name. */
class Table {
  constructor({count, names, units, time, data}) {
    this.count = count;
    this.names = names;
    this.time = decode(time, Float64Array);
    const all = decode(data, Float32Array);
    this.columns = new Map(names.map((name, i) => [name, all.subarray(i * count, (i + 1) * count)]));
    this.units = new Map(names.map((name, i) => [name, units ? units[i] : '']));
  }
  get(name) {
    return this.columns.get(name);
  }
}

const EVENT_NUMBERS = ['angle', 'speed', 'peak_force', 'peak_penetration', 'duration', 'energy_lost', 'impulse'];
const EVENT_KINDS = ['onset', 'release', 'film through', 'film again', 'contact lost', 'contact regained', 'impact'];
const WAS_IMPACT = 128; // added to the kind

function readEvents(events) {
  const time = decode(events.time, Float64Array);
  const kind = decode(events.kind, Uint8Array);
  const joint = decode(events.joint, Uint16Array);
  const numbers = EVENT_NUMBERS.map((name) => decode(events[name], Float32Array));
  return Array.from(time, (t, i) => {
    const event = {time: t, kind: EVENT_KINDS[kind[i] & (WAS_IMPACT - 1)], joint: events.joints[joint[i]]};
    if (kind[i] & WAS_IMPACT) event.kind = 'impact';
    else if (event.kind === 'release') event.kind = 'following';
    EVENT_NUMBERS.forEach((name, k) => (event[name] = numbers[k][i]));
    return event;
  });
}

/** The same result with its numbers already read, as a Worker delivers it. */
export function decodeResult(raw) {
  for (const table of [raw.plot, raw.frames].filter(Boolean)) {
    table.time = decode(table.time, Float64Array);
    table.data = decode(table.data, Float32Array);
  }
  const {events} = raw;
  events.time = decode(events.time, Float64Array);
  events.kind = decode(events.kind, Uint8Array);
  events.joint = decode(events.joint, Uint16Array);
  for (const name of EVENT_NUMBERS) events[name] = decode(events[name], Float32Array);
  return raw;
}

const BEGINS = ['onset', 'film through', 'contact regained'],
  ENDS = ['film again', 'contact lost'];
/** When parts touch, [from, to], by events of the contacts between them. */
export function contactTimes(events) {
  const times = [],
    open = new Map();
  for (const {kind, joint, time, duration} of events) {
    if (BEGINS.includes(kind)) open.set(joint, time);
    else if (ENDS.includes(kind) || duration > 0) {
      times.push([open.get(joint) ?? (duration > 0 ? time - duration : -Infinity), time]);
      open.delete(joint);
    }
  }
  for (const from of open.values()) times.push([from, Infinity]);
  return times;
}

/** Impacts in the order of their beginnings, with their strength from 0 to 1. */
export function impactsOf(result) {
  const found = result.events
    .filter((e) => e.kind === 'impact')
    .map((e) => ({time: e.time - (e.duration || 0), joint: e.joint, size: e.impulse || e.speed || 0}))
    .sort((a, b) => a.time - b.time);
  const most = found.reduce((m, e) => Math.max(m, e.size), 0) || 1;
  for (const e of found) e.strength = e.size / most;
  return found;
}

/** "name = value" lines → a map. */
export function readSummary(text) {
  const entries = new Map();
  for (const line of (text || '').split('\n')) {
    const at = line.indexOf(' = ');
    if (at > 0) entries.set(line.slice(0, at), line.slice(at + 3));
  }
  return entries;
}

export function readResult(raw) {
  const summary = readSummary(raw.summary),
    plot = new Table(raw.plot),
    discard = Number(summary.get('discard')),
    transient = discard > plot.time[0] && discard < plot.time[plot.count - 1] ? discard : NaN;
  return {
    ...raw,
    plot,
    frames: raw.frames ? new Table(raw.frames) : null,
    events: readEvents(raw.events),
    summary,
    transient, // s, the end of what the model discards; NaN where there is none
    begin: raw.fromGiven || !(transient > 0) ? plot.time[0] : transient, // s, where figures begin unless all is shown
  };
}

/** The last index with times[index] <= t, at least 0. */
export function indexAt(times, t) {
  let low = 0,
    high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

const PREFIXES = new Map([
  [-12, 'p'],
  [-9, 'n'],
  [-6, 'µ'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
]);
/** The power of ten, a multiple of three, that suits numbers up to a size, and the unit with its prefix. */
export function prefixed(size, unit) {
  const power = size > 0 && TAKES_PREFIX.test(unit) ? 3 * Math.floor(Math.log10(size) / 3 + 1e-12) : 0;
  return PREFIXES.has(power)
    ? {factor: 10 ** power, unit: PREFIXES.get(power) + written(unit)}
    : {factor: 1, unit: written(unit)};
}

const RAISED = {'-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹'};
/** A unit as it is printed: m/s². */
export const written = (unit) => (unit ?? '').replace(/\^(-?\d+)/g, (_, power) => [...power].map((c) => RAISED[c]).join(''));

const TAKES_PREFIX = /^(s|m|N|J|W|Pa|N m|m\/s|rad\/s|Hz)$/;

/** "1 contact", "2 contacts". */
export const counted = (n, one, several = `${one}s`) => `${String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f')} ${n === 1 ? one : several}`;

/** A number in plain digits: 1234.5, 1.2e-7, 2e10; with a true minus. */
export function number(x, digits = 4) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? '–' : x > 0 ? '∞' : '−∞';
  const size = Math.abs(x);
  const round = Number(x.toPrecision(digits)),
    text = size < 1e6 ? String(round) : round.toExponential().replace('+', '');
  return text.replace(/-/g, '−');
}

/** A number with its unit, prefixed where that is usual: 2.5e-5, "m" → "25 µm". */
export function quantity(x, unit, digits = 4) {
  if (x === null || x === undefined || !Number.isFinite(x)) return number(x ?? NaN);
  if (!unit) return number(x, digits);
  if (!TAKES_PREFIX.test(unit) || x === 0) return `${number(x, digits)} ${written(unit)}`;
  const shown = prefixed(Math.abs(x), unit);
  return `${number(x / shown.factor, digits)} ${shown.unit}`;
}
