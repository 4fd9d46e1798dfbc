// SPDX-License-Identifier: MIT
//
// The page of a study: curves of any metric over any axis, maps over two axes, the distribution of a metric over drawn
// points, cuts (bifurcation diagrams), the table.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {axis} from './figures.js';
import {colour, element, onTheme, section, SERIES, sortableTable} from './dom.js';
import {decode, number, prefixed, quantity} from './data.js';
import {Heat} from './heat.js';

const LOGARITHMIC = 20; // an axis that spans this ratio is drawn logarithmically at first
const MOST_CURVES = 12;
const MOST_BINS = 60;

const finite = (x) => typeof x === 'number' && Number.isFinite(x);
const unitOf = (column) => (column.unit ? ` (${column.unit})` : '');
const select = (label, options, chosen, onchange) => {
  const list = element(
    'select',
    {onchange: () => onchange(list.value)},
    options.map(([value, text]) =>
      element('option', {value: String(value), selected: String(value) === String(chosen)}, text),
    ),
  );
  return element('label', `${label} `, list);
};

class Study {
  constructor(raw) {
    Object.assign(this, raw);
    this.columns = raw.columns.map((c, index) => ({...c, index}));
    const hasNumbers = (c) => raw.rows.some((r) => finite(r[c.index]));
    this.axes = this.columns.filter((c) => c.kind === 'axis');
    this.drawn = this.axes.some((c) => c.name === 'sample');
    this.over = this.axes.filter((c) => hasNumbers(c) && c.name !== 'sample');
    this.metrics = this.columns.filter((c) => c.kind === 'metric' && hasNumbers(c));
    // A section whose cuts were not kept has channels without values.
    this.cuts = raw.cuts
      .map((c) => ({
        ...c,
        values: decode(c.values, Float64Array),
        points: decode(c.points, Uint32Array),
      }))
      .filter((c) => c.values.length > 0);
  }
  values(column) {
    return this.rows.map((r) => (finite(r[column.index]) ? r[column.index] : NaN));
  }
  distinct(column) {
    return [...new Set(this.rows.map((r) => r[column.index]))].sort((a, b) =>
      finite(a) && finite(b) ? a - b : String(a).localeCompare(String(b)),
    );
  }
  /** Rows by what the other axes are set to. */
  curves(x) {
    const others = this.drawn ? [] : this.axes.filter((c) => c !== x),
      groups = new Map();
    this.rows.forEach((row, i) => {
      const key = JSON.stringify(others.map((c) => row[c.index]));
      if (!groups.has(key))
        groups.set(key, {label: others.map((c) => `${c.name} ${show(row[c.index], c)}`).join(', '), rows: []});
      groups.get(key).rows.push(i);
    });
    return [...groups.values()];
  }
}

const show = (value, column) => (finite(value) ? quantity(value, column.unit) : String(value ?? ''));
const spans = (values) => {
  const positive = values.filter(finite);
  return (
    positive.length > 1 && Math.min(...positive) > 0 && Math.max(...positive) >= LOGARITHMIC * Math.min(...positive)
  );
};

/** A uPlot in a box that follows its width. */
export class PointChart {
  constructor() {
    this.area = element('div.plot');
    new ResizeObserver(
      () => this.plot && this.area.clientWidth && this.plot.setSize({width: this.area.clientWidth, height: 340}),
    ).observe(this.area);
    onTheme(() => this.plot?.redraw());
  }
  /** `share`: what the last series is, in percent, on an axis of its own to the right. */
  draw(x, y, logarithmic, series, data, share) {
    this.plot?.destroy();
    const most = (values) => values.reduce((m, v) => (finite(v) && Math.abs(v) > m ? Math.abs(v) : m), 0);
    const along = prefixed(most(data[0]), x.unit),
      up = prefixed(Math.max(...data.slice(1, share ? -1 : undefined).map(most)), y.unit);
    this.plot = new uPlot(
      {
        width: Math.max(200, this.area.clientWidth || 600),
        height: 340,
        series: [{label: x.name, value: (u, v) => (v === null ? '–' : quantity(v, x.unit))}, ...series],
        scales: {
          x: {time: false, distr: logarithmic ? 3 : 1},
          y: {range: (u, low, high) => (low === null ? [0, 1] : uPlot.rangeNum(low, high, 0.08, true))},
          ...(share && {percent: {range: [0, 100]}}),
        },
        axes: [
          axis({label: x.name + unitOf(along), size: 42, labelSize: 18, factor: along.factor}),
          axis({label: y.name + unitOf(up), size: 72, labelSize: 18, factor: up.factor}),
          ...(share ? [axis({label: `${share} (%)`, scale: 'percent', side: 1, size: 58, labelSize: 18, grid: {show: false}})] : []),
        ],
        cursor: {y: true, drag: {x: true, y: true, uni: 20}},
        legend: {live: true},
      },
      data,
      this.area,
    );
  }
}

function curveFigure(study) {
  const chart = new PointChart();
  let x = study.over[0],
    y = study.metrics[0],
    log = x.log || spans(study.values(x));
  const note = element('p.note', {hidden: true}),
    box = element('input', {
      type: 'checkbox',
      checked: log,
      onchange: () => {
        log = box.checked;
        draw();
      },
    });
  function draw() {
    const xs = study.values(x),
      ys = study.values(y),
      all = study.curves(x),
      curves = all.slice(0, MOST_CURVES);
    note.hidden = all.length <= MOST_CURVES;
    note.textContent = `${MOST_CURVES} of ${all.length} curves are shown.`;
    const tables = curves
      .map(({rows}) => {
        const order = rows.filter((i) => finite(xs[i]) && (!log || xs[i] > 0)).sort((a, b) => xs[a] - xs[b]);
        return [order.map((i) => xs[i]), order.map((i) => (finite(ys[i]) ? ys[i] : null))];
      })
      .filter((t) => t[0].length);
    const series = curves.map((c, i) => ({
      label: c.label || y.name,
      stroke: SERIES[i % SERIES.length],
      width: 1.6,
      dash: i >= SERIES.length ? [6, 4] : undefined,
      spanGaps: true,
      paths: study.drawn ? () => null : undefined,
      points: {show: true, size: 6},
      value: (u, v) => (v === null || v === undefined ? '–' : quantity(v, y.unit)),
    }));
    if (tables.length) chart.draw(x, y, log, series, tables.length > 1 ? uPlot.join(tables) : tables[0]);
  }
  const node = element(
    'div',
    element(
      'div.row',
      select(
        'Over',
        study.over.map((c) => [c.index, c.name]),
        x.index,
        (v) => {
          x = study.columns[v];
          log = box.checked = x.log || spans(study.values(x));
          draw();
        },
      ),
      select(
        'Metric',
        study.metrics.map((c) => [c.index, c.name]),
        y.index,
        (v) => {
          y = study.columns[v];
          draw();
        },
      ),
      element('label', box, ' logarithmic'),
    ),
    note,
    chart.area,
  );
  return {node, draw};
}

function cutFigure(study) {
  const chart = new PointChart();
  let x = study.over[0],
    cut = study.cuts[0];
  const draw = () => {
    const byPoint = new Map(study.rows.map((r) => [r[0], r[x.index]])),
      pairs = [];
    cut.points.forEach((p, i) => {
      const at = byPoint.get(p);
      if (finite(at) && finite(cut.values[i])) pairs.push([at, cut.values[i]]);
    });
    pairs.sort((a, b) => a[0] - b[0]);
    const size = pairs.length > 20000 ? 1.2 : pairs.length > 2000 ? 2 : 4;
    chart.draw(
      x,
      {name: cut.channel, unit: cut.unit},
      x.log || spans(study.values(x)),
      [
        {
          label: cut.channel,
          stroke: SERIES[0],
          fill: SERIES[0],
          paths: () => null,
          points: {show: true, size, width: 0, fill: SERIES[0]},
          value: (u, v) => (v === null ? '–' : quantity(v, cut.unit)),
        },
      ],
      [pairs.map((p) => p[0]), pairs.map((p) => p[1])],
    );
  };
  const node = element(
    'div',
    element(
      'div.row',
      select(
        'Over',
        study.over.map((c) => [c.index, c.name]),
        x.index,
        (v) => {
          x = study.columns[v];
          draw();
        },
      ),
      select(
        'Channel',
        study.cuts.map((c, i) => [i, c.channel]),
        0,
        (v) => {
          cut = study.cuts[v];
          draw();
        },
      ),
    ),
    element('p.hint', 'One dot for every cut of the motion: a line is a periodic motion, a band is not.'),
    chart.area,
  );
  return {node, draw};
}

/** How many of sorted values fall into bins of equal width, [edges, counts]; the width is that of Freedman and Diaconis
 * (1981), 2 IQR/n^(1/3), as in `lash plot --what distribution`. */
function histogram(values) {
  const n = values.length,
    low = values[0],
    range = values[n - 1] - low || 1,
    quartiles = values[Math.min(Math.floor((3 * n) / 4), n - 1)] - values[Math.floor(n / 4)],
    wanted = Math.ceil(quartiles > 0 ? (range * Math.cbrt(n)) / (2 * quartiles) : Math.sqrt(n)),
    bins = Math.min(Math.max(wanted, 1), MOST_BINS),
    counts = new Array(bins + 1).fill(0);
  for (const x of values) counts[Math.min(Math.floor(((x - low) / range) * bins), bins - 1)]++;
  return [counts.map((_, k) => low + (k * range) / bins), counts];
}

/** A metric of drawn points: how many fall where, and the share below. */
function distributionFigure(study) {
  const chart = new PointChart(),
    steps = uPlot.paths.stepped({align: 1});
  let metric = study.metrics[0];
  const figure = {bins: null},
    draw = () => {
      const values = study.values(metric).filter(finite).sort((a, b) => a - b),
        shares = values.map((_, i) => (100 * (i + 1)) / values.length);
      figure.bins = histogram(values);
      chart.draw(
        metric,
        {name: 'points', unit: ''},
        false,
        [
          {
            label: 'points',
            stroke: SERIES[0],
            fill: `${SERIES[0]}66`,
            paths: steps,
            points: {show: false},
            spanGaps: true,
            value: (u, v) => (v === null || v === undefined ? '–' : String(v)),
          },
          {
            label: 'share below',
            scale: 'percent',
            stroke: SERIES[1],
            width: 1.6,
            paths: steps,
            points: {show: false},
            spanGaps: true,
            value: (u, v) => (v === null || v === undefined ? '–' : `${number(v, 3)} %`),
          },
        ],
        uPlot.join([figure.bins, [values, shares]]),
        'share below',
      );
    };
  return Object.assign(figure, {
    draw,
    node: element(
      'div',
      element(
        'div.row',
        select(
          'Metric',
          study.metrics.map((c) => [c.index, c.name]),
          metric.index,
          (v) => {
            metric = study.columns[v];
            draw();
          },
        ),
      ),
      chart.area,
    ),
  });
}

/** A map needs two axes; of the others one value is chosen. */
function mapFigure(study) {
  const heat = new Heat();
  const axes = study.axes.filter((c) => c.name !== 'sample' && study.distinct(c).length > 1);
  let x = axes[0],
    y = axes[1],
    z = study.metrics[0];
  const fixed = new Map(axes.map((c) => [c, study.distinct(c)[0]])),
    bar = element('div.row');
  const draw = () => {
    const others = axes.filter((c) => c !== x && c !== y),
      xs = study.distinct(x),
      ys = study.distinct(y);
    const cells = ys.map(() => xs.map(() => NaN));
    for (const row of study.rows)
      if (others.every((c) => row[c.index] === fixed.get(c)) && finite(row[z.index]))
        cells[ys.indexOf(row[y.index])][xs.indexOf(row[x.index])] = row[z.index];
    heat.draw({
      x: {title: x.name + unitOf(x), marks: xs.map((v) => mark(v))},
      y: {title: y.name + unitOf(y), marks: ys.map((v) => mark(v))},
      title: z.name,
      cells,
      show: (v) => quantity(v, z.unit),
    });
    const choice = (c, chosen, set) => axes.map((a) => [a.index, a.name]);
    bar.replaceChildren(
      select('Across', choice(), x.index, (v) => {
        const c = study.columns[v];
        if (c === y) y = x;
        x = c;
        draw();
      }),
      select('Up', choice(), y.index, (v) => {
        const c = study.columns[v];
        if (c === x) x = y;
        y = c;
        draw();
      }),
      select(
        'Metric',
        study.metrics.map((c) => [c.index, c.name]),
        z.index,
        (v) => {
          z = study.columns[v];
          draw();
        },
      ),
      ...others.map((c) =>
        select(
          c.name,
          study.distinct(c).map((v, i) => [i, show(v, c)]),
          study.distinct(c).indexOf(fixed.get(c)),
          (i) => {
            fixed.set(c, study.distinct(c)[i]);
            draw();
          },
        ),
      ),
    );
  };
  const mark = (v) => (finite(v) ? number(v, 3) : String(v));
  return {node: element('div', bar, heat.node), draw};
}

function table(study) {
  const columns = study.columns
    .filter((c) => c.name !== 'message')
    .map((c) => ({
      name: c.name + unitOf(c),
      numeric: study.rows.some((r) => finite(r[c.index])),
      falls: false,
      value: (r) => (finite(r[c.index]) ? r[c.index] : (r[c.index] ?? NaN)),
      show: (r) => (finite(r[c.index]) ? number(r[c.index], 6) : String(r[c.index] ?? '–')),
    }));
  return sortableTable(columns, study.rows, {portion: 50}).node;
}

export function studyPage(raw) {
  const study = new Study(raw),
    status = study.columns.find((c) => c.name === 'status'),
    message = study.columns.find((c) => c.name === 'message');
  const failed = status ? study.rows.filter((r) => r[status.index] !== 'ok') : [],
    notes = [...raw.warnings];
  if (study.rows.length < study.points) notes.push(`${study.rows.length} of ${study.points} points are computed.`);
  if (failed.length)
    notes.push(
      `${failed.length} points failed${message && failed[0][message.index] ? `; the first said: ${failed[0][message.index]}` : ''}.`,
    );
  const figures = [];
  const figure = (title, make, wanted) => {
    if (!wanted) return null;
    const made = make(study);
    figures.push(made);
    return section(title, made.node);
  };
  const wide = study.axes.filter((c) => c.name !== 'sample' && study.distinct(c).length > 1).length >= 2;
  const page = [
    element(
      'header.title',
      element('p.kind', 'Lash · study'),
      element('h1', study.title || study.file),
      element('p.sub', `${study.file} · ${study.rows.length} points`),
    ),
    notes.length
      ? element(
          'section.warnings',
          {role: 'note'},
          element('h2', 'Notes'),
          element(
            'ul',
            notes.map((n) => element('li', n)),
          ),
        )
      : null,
    figure('Curves', curveFigure, study.over.length && study.metrics.length && study.rows.length),
    figure('Distribution', distributionFigure, study.drawn && study.metrics.length),
    figure('Map', mapFigure, wide && study.metrics.length && !study.drawn),
    figure('Cuts', cutFigure, study.cuts.length && study.over.length),
    section('Table', table(study)),
    section(
      'How to compute it again',
      element('p', `Computed with Lash ${study.about}.`),
      element('details', element('summary', 'The study'), element('pre', {tabIndex: 0}, study.study)),
      element('details', element('summary', 'The model'), element('pre', {tabIndex: 0}, study.model)),
    ),
  ];
  return {
    page,
    ready() {
      figures.forEach((f) => f.draw());
      window.lash = {study, figures, colour};
    },
  };
}
