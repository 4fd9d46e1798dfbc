// SPDX-License-Identifier: MIT
//
// Curves (uPlot): any channels of one or two results in any number of figures, over time or over the angle of a
// drive, with one cursor and one zoom for all of them.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {colour, element, onTheme, SERIES} from './dom.js';
import {number, prefixed, quantity, written} from './data.js';
import {savePng, saveSvg} from './export.js';

const ROUNDING = 1e-12; // of the largest value of a figure with that unit
const MOST_CURVES = 8;
const MOST_LISTED = 400; // entries of the list of channels shown at once

const FONT = '12px system-ui, sans-serif',
  pen = document.createElement('canvas').getContext('2d');
/** Room for the numbers of an upright axis and its ticks. */
export function axisWidth(u, texts) {
  pen.font = FONT;
  return 20 + Math.max(20, ...(texts ?? []).map((text) => pen.measureText(text).width));
}

const axisColours = () => ({
  stroke: () => colour('muted'),
  grid: {stroke: () => colour('line'), width: 1},
  ticks: {stroke: () => colour('line'), width: 1},
});
export const axis = (settings) => ({
  ...axisColours(),
  font: FONT,
  labelFont: FONT,
  ...settings,
  values: (u, ticks) => ticks.map((x) => (x === null ? '' : number(x / (settings.factor ?? 1), 6))),
});

/** Results by how much they have to show, whatever their order: the ideal machine after the one with play, a ghost last. */
const byChannels = (results) =>
  [...results].sort((a, b) => Boolean(a.ghost) - Boolean(b.ghost) || b.plot.names.length - a.plot.names.length);
/** Units by channel. */
const unitsOf = (results) => new Map(byChannels(results).flatMap((r) => [...r.plot.units]));

/** A colour mixed with that of texts: a second result stands out from the first. */
function inked(hex) {
  const parts = (text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16)),
    ink = parts(colour('ink'));
  return `#${parts(hex)
    .map((x, k) => Math.round(0.4 * x + 0.6 * ink[k]).toString(16).padStart(2, '0'))
    .join('')}`;
}

/** The beginning that the model discards, grey. */
function shadeTransient(u, end) {
  const {left, top, height} = u.bbox,
    width = Math.min(u.valToPos(end, 'x', true) - left, u.bbox.width),
    {ctx} = u,
    ratio = ctx.canvas.width / u.width;
  if (!(width > 0)) return;
  ctx.save();
  ctx.fillStyle = colour('line');
  ctx.globalAlpha = 0.5;
  ctx.fillRect(left, top, width, height);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour('muted');
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  if (ctx.measureText('transient').width + 8 * ratio < width) ctx.fillText('transient', left + 4 * ratio, top + 4 * ratio);
  ctx.restore();
}

/** What is worth seeing first: forces and paths in joints with play, drives, energy; at most four figures. */
export function firstFigures(results) {
  const names = [...unitsOf(results).keys()],
    ending = (...ends) => names.filter((n) => ends.some((e) => n.endsWith(e)));
  const plays = ending('.delta').map((n) => n.replace(/\.delta$/, ''));
  const bodies = ending('.vx').map((n) => n.replace(/\.vx$/, ''));
  const drives = names.filter(
    (n) => /\.(torque|force)$/.test(n) && names.includes(n.replace(/\.(torque|force)$/, '.power')),
  );
  const moves = (name) => results.some((r) => r.plot.get(name)?.some((x) => Math.abs(x) > 0));
  const last = bodies.filter((b) => moves(`${b}.vx`)).pop(),
    turning = bodies.filter((b) => moves(`${b}.wz`)).pop();
  const figures = [];
  if (plays.length)
    figures.push(
      plays.map((j) => `${j}.fn`),
      plays.map((j) => `${j}.e`),
    );
  const films = ending('.film').filter((n) => names.includes(`${n}_force`));
  if (films.length) figures.push(films);
  if (drives.length) figures.push(drives.slice(0, MOST_CURVES));
  if (last) figures.push([`${last}.vx`, `${last}.ax`]);
  else if (turning) figures.push([`${turning}.wz`, `${turning}.alphaz`]);
  figures.push(['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.input']);
  const some = figures.map((f) => f.filter((n) => names.includes(n)).slice(0, MOST_CURVES)).filter((f) => f.length);
  if (!some.length && names.length) some.push([names[0]]);
  return some.slice(0, 4);
}

/** NaN is a gap. */
const plain = (values, factor = 1) => Array.from(values, (x) => (Number.isFinite(x) ? x * factor : null));

function rises(values) {
  for (let i = 1; i < values.length; i++) if (!(values[i] >= values[i - 1])) return false;
  return values[values.length - 1] > values[0];
}

export class Figures {
  constructor(results, clock) {
    this.results = results;
    this.clock = clock;
    this.figures = [];
    this.abscissa = {name: 'time', unit: 's', of: (r) => r.plot.time};
    this.shown = 'begin'; // what all figures show: from where they begin on, 'all', or [min, max]
    this.list = element('div.figures');
    this.units = unitsOf(results);
    this.names = [...this.units.keys()];
    this.onclock = (t) => this.showCursors(t);
    clock.listen(this.onclock);
    for (const channels of firstFigures(results)) this.add(channels);
    this.ended = new AbortController();
    onTheme(() => this.figures.forEach((f) => f.draw()), this.ended.signal);
    this.bar = this.toolbar();
    this.node = element('div', this.bar, this.list);
  }

  /** Other results of the same machine: figures, channels and zoom stay. */
  replace(results) {
    this.results = results;
    this.units = unitsOf(results);
    const names = [...this.units.keys()];
    if (names.join() !== this.names.join() || this.skips() !== this.skipped) {
      this.names = names;
      const bar = this.toolbar();
      this.bar.replaceWith(bar);
      this.bar = bar;
    }
    const over = this.abscissa.name === 'time' || !this.units.has(this.abscissa.name) ? '' : this.abscissa.name;
    this.setAbscissa(over);
    this.figures.forEach((f) => f.draw());
    this.showCursors(this.clock.time);
  }

  destroy() {
    this.ended.abort();
    for (const figure of [...this.figures]) this.remove(figure);
  }

  /** Whether figures leave out a transient. */
  skips() {
    return this.results.some((r) => r.begin > r.plot.time[0]);
  }
  toolbar() {
    this.skipped = this.skips();
    const angles = this.names.filter(
      (n) =>
        n.endsWith('.angle') &&
        this.names.includes(n.replace(/angle$/, 'torque')) &&
        this.results.every((r) => r.plot.get(n) && rises(r.plot.get(n))),
    );
    const over = element(
      'select',
      {id: 'over', onchange: () => this.over(over.value)},
      element('option', {value: ''}, 'time'),
      angles.map((n) => element('option', {value: n}, `${n} (deg)`)),
    );
    const zoom = (factor) => {
      const u = this.figures[0]?.plot;
      if (!u) return;
      const {min, max} = u.scales.x,
        at = this.abscissaAt(this.clock.time);
      const middle = at >= min && at <= max ? at : (min + max) / 2;
      this.choose(
        Math.max(this.range()[0], middle - (middle - min) * factor),
        Math.min(this.range()[1], middle + (max - middle) * factor),
      );
    };
    return element(
      'div.row',
      angles.length ? element('label', 'Over ', over) : null,
      element(
        'span.buttons',
        element('button', {type: 'button', onclick: () => zoom(0.5)}, 'Zoom in'),
        element('button', {type: 'button', onclick: () => zoom(2)}, 'Zoom out'),
        element('button', {type: 'button', id: 'all', onclick: () => this.show('all')}, 'All'),
        this.skips()
          ? element(
              'button',
              {type: 'button', id: 'after', title: 'The beginning, which the model discards, is left out', onclick: () => this.show('begin')},
              'After the transient',
            )
          : null,
        element('button', {type: 'button', onclick: () => this.add([this.names[0]]).choose()}, 'Add figure'),
      ),
      element('span.hint', 'Drag to zoom, double-click for all.'),
    );
  }

  setAbscissa(name) {
    const degrees = new Map(name ? this.results.map((r) => [r, plain(r.plot.get(name), 180 / Math.PI)]) : []);
    this.abscissa = name
      ? {name, unit: 'deg', of: (r) => degrees.get(r)}
      : {name: 'time', unit: 's', of: (r) => r.plot.time};
  }
  over(name) {
    this.setAbscissa(name);
    if (Array.isArray(this.shown)) this.shown = 'begin';
    this.figures.forEach((f) => f.draw());
    this.showCursors(this.clock.time);
  }

  range() {
    const xs = this.results.map((r) => this.abscissa.of(r));
    return [Math.min(...xs.map((x) => x[0])), Math.max(...xs.map((x) => x[x.length - 1]))];
  }

  /** Time ↔ abscissa, by the first result. */
  map(value, from, to) {
    if (from === to) return value;
    let low = 0,
      high = from.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (from[middle] <= value) low = middle;
      else high = middle;
    }
    const span = from[high] - from[low];
    return to[low] + (span > 0 ? (value - from[low]) / span : 0) * (to[high] - to[low]);
  }
  abscissaAt(time) {
    return this.map(time, this.results[0].plot.time, this.abscissa.of(this.results[0]));
  }
  timeAt(x) {
    return this.map(x, this.abscissa.of(this.results[0]), this.results[0].plot.time);
  }

  add(channels) {
    const figure = new Figure(this, channels);
    this.figures.push(figure);
    this.list.append(figure.node);
    figure.draw();
    return figure;
  }
  remove(figure) {
    figure.watcher.disconnect();
    figure.plot?.destroy();
    figure.node.remove();
    this.figures = this.figures.filter((f) => f !== figure);
  }

  /** Where figures begin: after the transient of each result. */
  beginning() {
    const [low, high] = this.range(),
      at = Math.max(...this.results.map((r) => this.map(r.begin, r.plot.time, this.abscissa.of(r))));
    return at < high ? at : low;
  }
  /** The end of the transient on the abscissa; NaN: there is none. */
  transient() {
    const ends = this.results
      .filter((r) => r.transient > 0)
      .map((r) => this.map(r.transient, r.plot.time, this.abscissa.of(r)));
    return ends.length ? Math.max(...ends) : NaN;
  }
  /** What figures show, as limits. */
  limits() {
    if (Array.isArray(this.shown)) return this.shown;
    const [low, high] = this.range();
    return [this.shown === 'all' ? low : this.beginning(), high];
  }
  show(what) {
    this.shown = what;
    this.zoomTo(...this.limits());
  }
  /** What the reader has chosen by dragging. */
  choose(min, max) {
    const [low, high] = this.range();
    this.show(min <= low && max >= high ? 'all' : [min, max]);
  }
  zoomTo(min, max) {
    this.zooming = true;
    for (const {plot} of this.figures) plot?.setScale('x', {min, max});
    this.zooming = false;
    this.showCursors(this.clock.time);
  }
  showCursors(time) {
    const x = this.abscissaAt(time);
    for (const {plot} of this.figures) {
      if (!plot || (plot === this.hovered && !this.clock.playing)) continue;
      const {min, max} = plot.scales.x,
        inside = x >= min && x <= max;
      plot.setCursor({left: inside ? plot.valToPos(x, 'x') : -10, top: inside ? 1 : -10}, false);
    }
  }
}

class Figure {
  constructor(group, channels) {
    this.group = group;
    this.channels = channels;
    this.title = element('h3');
    this.area = element('div.plot');
    this.panel = element('div.chooser', {hidden: true});
    this.button = element(
      'button.quiet',
      {type: 'button', ariaExpanded: 'false', onclick: () => this.choose()},
      'Channels',
    );
    this.node = element(
      'article.figure',
      element(
        'header',
        this.title,
        element(
          'span.buttons',
          this.button,
          element('button.quiet', {type: 'button', onclick: () => saveSvg(this)}, 'SVG'),
          element('button.quiet', {type: 'button', onclick: () => savePng(this)}, 'PNG'),
          element(
            'button.quiet',
            {type: 'button', ariaLabel: 'Remove this figure', onclick: () => group.remove(this)},
            '×',
          ),
        ),
      ),
      this.panel,
      this.area,
    );
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.area);
  }

  resize() {
    if (this.plot && this.area.clientWidth && this.plot.width !== this.area.clientWidth) {
      this.plot.setSize({width: this.area.clientWidth, height: this.height()});
      this.group.showCursors(this.group.clock.time);
    }
  }
  height() {
    return this.area.clientWidth < 500 ? 230 : 270;
  }

  choose() {
    const {group} = this,
      open = this.panel.hidden;
    this.panel.hidden = !open;
    this.button.setAttribute('aria-expanded', String(open));
    if (!open) return;
    const filter = element('input', {
      type: 'search',
      placeholder: 'Find a channel, e.g. slider or .fn',
      ariaLabel: 'Find a channel',
      oninput: () => fill(),
    });
    const list = element('div.channels');
    const fill = () => {
      const word = filter.value.trim().toLowerCase();
      const found = group.names.filter((n) => n.toLowerCase().includes(word));
      list.replaceChildren(
        ...found.slice(0, MOST_LISTED).map((name) => {
          const box = element('input', {
            type: 'checkbox',
            checked: this.channels.includes(name),
            onchange: () => {
              if (box.checked && this.channels.length >= MOST_CURVES) {
                box.checked = false;
                return;
              }
              this.channels = box.checked ? [...this.channels, name] : this.channels.filter((c) => c !== name);
              this.draw();
            },
          });
          return element('label', box, ` ${name} `, element('span.unit', written(group.units.get(name))));
        }),
      );
    };
    this.panel.replaceChildren(filter, list);
    fill();
    filter.focus();
  }

  draw() {
    const {group} = this,
      several = group.results.length > 1,
      series = [],
      tables = [],
      units = [],
      largest = new Map();
    this.title.textContent = this.channels.join(', ') || 'No channel';
    byChannels(group.results).forEach((result, r) => {
      const table = [group.abscissa.of(result)];
      this.channels.forEach((name, c) => {
        const values = result.plot.get(name),
          ghost = r > 0 && result.ghost,
          unit = group.units.get(name) || '1';
        if (!values) return;
        if (!units.includes(unit)) units.push(unit);
        largest.set(
          unit,
          values.reduce((most, x) => (Math.abs(x) > most ? Math.abs(x) : most), largest.get(unit) ?? 0),
        );
        table.push(plain(values));
        series.push({
          label: several && result.label ? `${name} ${result.label}` : name,
          scale: unit,
          stroke: r ? inked(SERIES[c % SERIES.length]) : SERIES[c % SERIES.length],
          width: r ? 1.6 : 1.4,
          alpha: ghost ? 0.6 : 1,
          dash: r ? [7, 4] : undefined,
          points: {show: false},
          spanGaps: several,
          // Rounding errors relative to the largest value count as 0.
          value: (u, v) =>
            v === null || v === undefined ? '–' : quantity(Math.abs(v) < ROUNDING * largest.get(unit) ? 0 : v, unit === '1' ? '' : unit),
        });
      });
      if (table.length > 1) tables.push(table);
    });
    const data =
      tables.length === 0 ? [group.abscissa.of(group.results[0])] : tables.length > 1 ? uPlot.join(tables) : tables[0];
    const xUnit = group.abscissa.unit,
      [min, max] = group.limits();
    const xs = prefixed(Math.max(...group.range().map(Math.abs)), xUnit);
    const axes = [
      axis({label: `${group.abscissa.name} (${xs.unit})`, size: 40, labelSize: 18, factor: xs.factor}),
      ...units.slice(0, 2).map((unit, i) => {
        const shown = prefixed(largest.get(unit), unit);
        return axis({
          scale: unit,
          side: i ? 1 : 3,
          size: axisWidth,
          label: unit === '1' ? ' ' : shown.unit,
          labelSize: 18,
          factor: shown.factor,
          grid: i ? {show: false} : axisColours().grid,
        });
      }),
    ];
    // Where only the numbers differ, only they are replaced.
    const signature = JSON.stringify([
      colour('muted'),
      group.abscissa.name,
      xs,
      series.map((s) => [s.label, s.scale, s.stroke, s.width]),
      units.map((u) => prefixed(largest.get(u), u)),
    ]);
    if (this.plot && signature === this.signature) {
      group.zooming = true;
      this.plot.setData(data, false);
      this.plot.setScale('x', {min, max});
      group.zooming = false;
      return group.showCursors(group.clock.time);
    }
    this.signature = signature;
    this.plot?.destroy();
    const options = {
      width: Math.max(200, this.area.clientWidth || 600),
      height: this.height(),
      axes,
      series: [{label: group.abscissa.name, value: (u, v) => (v === null ? '–' : quantity(v, xUnit, 6))}, ...series],
      scales: {x: {time: false, min, max}, ...Object.fromEntries(units.map((u) => [u, {auto: true}]))},
      legend: {live: true, markers: {dash: (u, i) => (u.series[i].dash ? 'dashed' : 'solid')}},
      cursor: {y: false, drag: {x: true, y: false}, points: {size: 7}},
      hooks: {
        drawClear: [(u) => shadeTransient(u, group.transient())],
        setCursor: [
          (u) => {
            if (u.cursor.event && u.cursor.left >= 0 && !group.clock.playing) this.hover(u);
          },
        ],
        setScale: [
          (u, key) => {
            if (key === 'x' && !group.zooming && this.plot === u) group.choose(u.scales.x.min, u.scales.x.max);
          },
        ],
      },
    };
    this.plot = new uPlot(options, data, this.area);
    this.plot.over.addEventListener('mouseleave', () => {
      group.hovered = null;
      group.showCursors(group.clock.time);
    });
    group.showCursors(group.clock.time);
  }

  hover(u) {
    const {group} = this;
    group.hovered = u;
    group.clock.set(group.timeAt(u.posToVal(u.cursor.left, 'x')));
  }
}
