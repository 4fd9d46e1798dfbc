// SPDX-License-Identifier: MIT
//
// Small studies in a live page: one parameter swept, with the motion cut at every turn of a drive (a bifurcation
// diagram that grows while it is computed), and the cut of the present machine with two channels (Poincaré).
import {element} from './dom.js';
import {number} from './data.js';
import {PointChart} from './study_page.js';

const MOST_HANDS = 8;
const REDRAW = 150; // ms

const select = (id, label, options, chosen) => {
  const list = element(
    'select',
    {id},
    options.map(([value, text]) => element('option', {value, selected: value === chosen}, text ?? value)),
  );
  return {list, node: element('label', `${label} `, list)};
};
const field = (id, label, value, size = 8) => {
  const input = element('input', {type: 'text', id, value, size, autocomplete: 'off'});
  return {input, node: element('label', `${label} `, input)};
};

export class LiveStudy {
  /** state() → {text, name, settings, rows, result}; open(parameter, text) sets a slider. */
  constructor(solver, state, open) {
    Object.assign(this, {solver, state, open});
    this.chart = new PointChart();
    this.note = element('p.note', {role: 'status'});
    this.form = element('div.row');
    this.stopButton = element('button', {type: 'button', hidden: true, onclick: () => this.stop()}, 'Stop');
    this.goButtons = [
      element('button.main', {type: 'button', id: 'sweep', onclick: () => this.sweep()}, 'Sweep'),
      element('button', {type: 'button', id: 'poincare', onclick: () => this.poincare()}, 'Poincaré section'),
    ];
    this.chart.area.addEventListener('click', () => this.pick());
    this.node = element('div', this.form, element('div.row', this.goButtons, this.stopButton), this.note, this.chart.area);
  }
  /** Choices that fit the model. */
  refresh() {
    const {rows, result} = this.state();
    if (!result) return;
    const names = result.plot.names,
      sliders = [...rows.values()].filter((r) => r.scale),
      drives = names.filter((n) => n.endsWith('.angle') && names.includes(n.replace(/angle$/, 'torque'))),
      key = JSON.stringify([sliders.map((r) => r.key), drives, names]);
    if (key === this.key) return;
    this.key = key;
    if (!drives.length || !sliders.length) {
      this.form.replaceChildren();
      this.goButtons.forEach((b) => (b.hidden = true));
      this.note.textContent = !drives.length
        ? 'A section is taken at every turn of a drive, and this machine has no drive that turns.'
        : 'The model has no parameter that can be swept.';
      return;
    }
    this.goButtons.forEach((b) => (b.hidden = false));
    this.note.textContent = '';
    const play = names.find((n) => n.endsWith('.delta'))?.replace(/\.delta$/, ''),
      body = names.filter((n) => n.endsWith('.vx') && result.plot.get(n).some((x) => Math.abs(x) > 0)).pop(),
      first = [play && `${play}.ex`, play && `${play}.e`, body].find((n) => names.includes(n)) ?? names[0],
      second = [play && `${play}.ey`, body, play && `${play}.delta`].find((n) => names.includes(n) && n !== first) ?? names[0];
    const channels = names.filter((n) => n !== 'time').map((n) => [n]);
    this.parameter = select('sweep-parameter', 'Parameter', sliders.map((r) => [r.parameter.name]), this.parameter?.list.value ?? (rows.has('speed') ? 'speed' : undefined));
    this.from = field('sweep-from', 'from', '');
    this.to = field('sweep-to', 'to', '');
    this.count = field('sweep-count', 'in steps', '60', 4);
    this.drive = select('sweep-drive', 'at every turn of', drives.map((n) => [n, n.replace(/\.angle$/, '')]));
    this.turns = field('sweep-turns', 'turns', '24', 4);
    this.x = select('sweep-x', 'Look at', channels, first);
    this.y = select('sweep-y', 'and (Poincaré)', channels, second);
    const ends = () => {
      const {scale, write} = this.state().rows.get(this.parameter.list.value);
      this.from.input.value = write(scale.low);
      this.to.input.value = write(scale.high);
    };
    this.parameter.list.addEventListener('change', ends);
    this.form.replaceChildren(
      ...[this.parameter, this.from, this.to, this.count, this.drive, this.turns, this.x, this.y].map((f) => f.node),
    );
    ends();
  }
  wish(settings, channels, turns) {
    const {text, name} = this.state(),
      drive = this.drive.list.value;
    const lines = {...settings, 'run.until': `${turns} rev of ${drive.replace(/\.angle$/, '')}`};
    return {
      kind: 'section',
      model: text,
      name,
      settings: Object.entries(lines)
        .map(([k, v]) => `${k}=${v}\n`)
        .join(''),
      drive,
      channels,
      phase: 0,
      from: 0.5,
    };
  }
  begin() {
    this.stop();
    this.stopButton.hidden = false;
    return (this.job = {points: [], failed: 0, done: 0, hands: []});
  }
  stop() {
    if (this.job) {
      this.job.stopped = true;
      for (const hand of this.job.hands) hand.end();
      this.note.textContent = `Stopped. ${this.note.textContent}`;
    }
    this.job = null;
    this.stopButton.hidden = true;
  }
  finish(job) {
    for (const hand of job.hands) hand.end();
    if (this.job !== job) return;
    this.job = null;
    this.stopButton.hidden = true;
  }
  numberIn(f, unit) {
    const found = /^\s*([-+\d.eE]+)\s*(.*)$/.exec(f.input.value);
    return found && found[2].trim() === unit && Number.isFinite(Number(found[1])) ? Number(found[1]) : NaN;
  }

  async sweep() {
    const job = this.begin(),
      {rows, settings} = this.state(),
      row = rows.get(this.parameter.list.value),
      name = row.parameter.name,
      low = this.numberIn(this.from, row.scale.unit),
      high = this.numberIn(this.to, row.scale.unit),
      count = Math.round(Number(this.count.input.value)),
      turns = Number(this.turns.input.value);
    if (!(low < high) || !(count >= 2 && count <= 2000) || !(turns >= 2)) {
      this.note.textContent = `From and to are numbers in ${row.scale.unit || 'plain digits'}, the smaller first; 2 to 2000 steps; at least 2 turns.`;
      return this.finish(job);
    }
    const channel = this.x.list.value,
      unit = this.state().result.plot.units.get(channel);
    // Points far apart come first, so that the whole diagram is visible early.
    const order = [];
    for (let stride = 2 ** Math.ceil(Math.log2(count)); stride >= 1; stride /= 2)
      for (let i = 0; i < count; i += stride) if (!order.includes(i)) order.push(i);
    const at = (i) => low + ((high - low) * i) / (count - 1);
    this.swept = {name, write: row.write};
    let drawn = 0;
    const draw = (now) => {
      if (!now && performance.now() - drawn < REDRAW) return;
      drawn = performance.now();
      job.points.sort((a, b) => a[0] - b[0]);
      this.draw({name, unit: row.scale.unit}, {name: channel, unit}, job.points);
      this.note.textContent =
        `${job.done} of ${count} points` +
        (job.failed ? `, ${job.failed} failed: ${job.message}` : '') +
        (job.done === count ? '. A click on the diagram opens that machine.' : '');
    };
    const work = async () => {
      const hand = this.solver.hand();
      job.hands.push(hand);
      while (order.length && !job.stopped) {
        const i = order.shift(),
          answer = await hand.ask(this.wish({...settings, [name]: row.write(at(i))}, channel, turns));
        if (job.stopped) return;
        job.done++;
        if (answer.fine) for (const y of answer.points) job.points.push([at(i), y]);
        else {
          job.failed++;
          job.message = answer.message;
        }
        draw(false);
      }
    };
    await Promise.all(Array.from({length: Math.min(MOST_HANDS, navigator.hardwareConcurrency || 2, count)}, work));
    if (job.stopped) return;
    draw(true);
    this.finish(job);
  }

  async poincare() {
    const job = this.begin(),
      {settings, result} = this.state(),
      [x, y] = [this.x.list.value, this.y.list.value],
      turns = 8 * Math.max(2, Number(this.turns.input.value) || 24),
      hand = this.solver.hand();
    job.hands.push(hand);
    this.swept = null;
    this.note.textContent = `Computing ${turns} turns …`;
    const answer = await hand.ask(this.wish(settings, `${x},${y}`, turns), ({share}) => {
      if (share !== undefined) this.note.textContent = `Computing ${turns} turns: ${Math.round(100 * share)} %`;
    });
    if (job.stopped) return;
    for (let i = 0; i + 1 < answer.points.length; i += 2) job.points.push([answer.points[i], answer.points[i + 1]]);
    job.points.sort((a, b) => a[0] - b[0]);
    this.draw({name: x, unit: result.plot.units.get(x), measured: true}, {name: y, unit: result.plot.units.get(y)}, job.points);
    this.note.textContent = answer.fine
      ? `${job.points.length} passages, from the ${turns / 2}th turn on.`
      : `The run failed: ${answer.message}`;
    this.finish(job);
  }

  draw(x, y, points) {
    if (!points.length) return;
    this.chart.draw(
      x,
      y,
      false,
      [
        {
          label: y.name,
          stroke: '#0072b2',
          paths: () => null,
          points: {show: true, size: points.length > 2000 ? 2 : 4, fill: '#0072b2'},
          value: (u, v) => (v === null ? '–' : `${number(v)} ${y.unit ?? ''}`),
        },
      ],
      [points.map((p) => p[0]), points.map((p) => p[1])],
    );
    this.points = points;
  }
  pick() {
    const u = this.chart.plot;
    if (!this.swept || !u || u.cursor.idx === null || u.cursor.idx === undefined) return;
    this.open(this.swept.name, this.swept.write(u.data[0][u.cursor.idx]));
  }
}
