// SPDX-License-Identifier: MIT
//
// The page of a study: curves of any metric over any axis, maps over two axes, the distribution of a metric over drawn
// points, cuts (bifurcation diagrams), the table.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {axis, axisWidth} from './figures.js';
import {colour, element, onTheme, section, SERIES, sortableTable} from './dom.js';
import {counted, decode, number, prefixed, quantity, written} from './data.js';
import {Heat, ticks} from './heat.js';

const LOGARITHMIC = 20; // an axis that spans this ratio is drawn logarithmically at first
const MOST_CURVES = 12;
const MOST_BINS = 60;
const QUANTILES = [0.05, 0.5, 0.95];
const CONFIDENCE = 0.95; // of their bands
const LEAST_APART = 46; // px between labels of a logarithmic axis
const TINY = 1e-12; // values below which uPlot finds no ticks
const NARROW = 500; // px
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6]; // between ticks of counts

const finite = (x) => typeof x === 'number' && Number.isFinite(x);
const unitOf = (column) => (column.unit ? ` (${written(column.unit)})` : '');
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

/** A choice of one of some columns. */
const selectColumn = (label, columns, chosen, onchange) =>
  select(
    label,
    columns.map((c, i) => [i, c.name]),
    columns.indexOf(chosen),
    (i) => onchange(columns[i]),
  );

class Study {
  constructor(raw) {
    Object.assign(this, raw);
    this.columns = raw.columns.map((c, index) => ({...c, index}));
    const hasNumbers = (c) => raw.rows.some((r) => finite(r[c.index]));
    this.axes = this.columns.filter((c) => c.kind === 'axis');
    this.drawn = this.axes.some((c) => c.name === 'sample');
    this.over = this.axes.filter((c) => hasNumbers(c) && c.name !== 'sample');
    this.metrics = this.columns.filter((c) => c.kind === 'metric' && hasNumbers(c));
    this.metric = this.metrics[0]; // that all figures show
    this.watchers = [];
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
  /** The choice of the metric; where several figures have one, they show the same. */
  metricSelect(draw) {
    const node = selectColumn('Metric', this.metrics, this.metric, (metric) => {
      this.metric = metric;
      for (const tell of this.watchers) tell();
    });
    this.watchers.push(() => {
      node.querySelector('select').value = String(this.metrics.indexOf(this.metric));
      draw();
    });
    return node;
  }
  /** Rows by what the other axes are set to. */
  curves(x) {
    return this.groups(this.drawn ? [] : this.axes.filter((c) => c !== x));
  }
  /** Rows by what is set besides what is drawn. */
  settings() {
    return this.groups(this.axes.slice(0, this.axes.findIndex((c) => c.name === 'sample')));
  }
  groups(others) {
    const groups = new Map();
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
  /** `x.measured`: x is a channel, too. `share`: what the last series is, in percent, on an axis of its own to the right;
   * `marks`: [{at, text}] along x. */
  draw(x, y, logarithmic, series, data, {share, marks = []} = {}) {
    this.plot?.destroy();
    const most = (values) => values.reduce((m, v) => (finite(v) && Math.abs(v) > m ? Math.abs(v) : m), 0);
    const along = prefixed(most(data[0]), x.unit),
      up = prefixed(Math.max(...data.slice(1, share ? -1 : undefined).map(most)), y.unit);
    this.marks = marks;
    this.plot = new uPlot(
      {
        width: Math.max(200, this.area.clientWidth || 600),
        height: 340,
        series: [{label: x.name, value: (u, v) => (v === null ? '–' : quantity(v, x.unit))}, ...series],
        scales: {
          x: logarithmic
            ? {time: false, distr: 3, range: (u, low, high) => [low / LOG_MARGIN, high * LOG_MARGIN]}
            : {time: false, ...(x.measured && {range: (u, low, high) => uPlot.rangeNum(...wide(low, high), 0.04, true)})},
          y: {range: (u, low, high) => (low === null ? [0, 1] : uPlot.rangeNum(...wide(low, high), 0.08, true))},
          ...(share && {percent: {range: [0, 100]}}),
        },
        axes: [
          axis({
            label: x.name + unitOf(along),
            size: 42,
            labelSize: 18,
            factor: along.factor,
            ...(x.measured && {space: APART}),
            ...(logarithmic ? {splits: logTicks, filter: (u, list) => list} : ticksOf(most(data[0]))),
          }),
          axis({
            label: y.name + unitOf(up),
            size: axisWidth,
            labelSize: 18,
            factor: up.factor,
            ...(y.whole && {incrs: WHOLE_STEPS}),
            ...ticksOf(Math.max(...data.slice(1, share ? -1 : undefined).map(most))),
          }),
          ...(share ? [axis({label: `${share} (%)`, scale: 'percent', side: 1, size: axisWidth, labelSize: 18, grid: {show: false}})] : []),
        ],
        cursor: {y: true, drag: {x: true, y: true, uni: 20}},
        legend: {live: true, markers: {dash: (u, i) => (u.series[i].dash ? 'dashed' : 'solid')}},
        hooks: {draw: [(u) => drawMarks(u, marks)]},
      },
      data,
      this.area,
    );
  }
}

const APART = 85; // px between labels of a channel, which have up to six digits
const LEAST_SPAN = 1e-4; // of an axis, as a share of its values: what differs by less is rounding
/** The limits of an axis, not so close together that nothing but rounding is seen. */
function wide(low, high) {
  const lack = LEAST_SPAN * Math.max(Math.abs(low), Math.abs(high)) - (high - low);
  return lack > 0 && low < high ? [low - lack / 2, high + lack / 2] : [low, high];
}

const LOG_MARGIN = 1.05; // beside the first and the last value, as a factor

const ticksOf = (size) => (size < TINY ? {splits: (u, index, low, high) => ticks(low, high)} : {});

/** Ticks of a logarithmic axis: 1, 2, 5, 10, …; all digits where there are few decades, powers alone where many. */
function logTicks(u, index, low, high) {
  const room = u.bbox.width / devicePixelRatio / LEAST_APART,
    first = Math.floor(Math.log10(low)),
    decades = Array.from({length: Math.ceil(Math.log10(high)) - first + 1}, (_, k) => first + k),
    chosen = (digits) =>
      decades
        .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
        .filter((x) => x >= low && x <= high);
  const choices = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1]].map(chosen),
    few = choices[1].length < 4;
  return choices.slice(few ? 0 : 1).find((list) => list.length <= room) ?? choices[2];
}

/** Upright lines with their names, one below the other. */
function drawMarks(u, marks) {
  const {ctx, bbox} = u,
    ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${12 * ratio}px system-ui, sans-serif`;
  ctx.strokeStyle = ctx.fillStyle = colour('ink');
  ctx.lineWidth = ratio;
  ctx.setLineDash([5 * ratio, 4 * ratio]);
  ctx.textBaseline = 'top';
  marks.forEach(({at, text}, k) => {
    const px = u.valToPos(at, 'x', true),
      right = px + ctx.measureText(text).width + 8 * ratio > bbox.left + bbox.width;
    if (px < bbox.left || px > bbox.left + bbox.width) return;
    ctx.beginPath();
    ctx.moveTo(px, bbox.top);
    ctx.lineTo(px, bbox.top + bbox.height);
    ctx.stroke();
    ctx.textAlign = right ? 'right' : 'left';
    ctx.fillText(text, px + (right ? -4 : 4) * ratio, bbox.top + (4 + 16 * k) * ratio);
  });
  ctx.restore();
}

function curveFigure(study) {
  const chart = new PointChart();
  let x = study.over[0],
    log = x.log || spans(study.values(x));
  const note = element('p.note', {hidden: true}),
    box = element('input', {
      type: 'checkbox',
      checked: Boolean(log),
      onchange: () => {
        log = box.checked;
        draw();
      },
    });
  function draw() {
    const y = study.metric,
      xs = study.values(x),
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
      selectColumn('Over', study.over, x, (column) => {
        x = column;
        log = box.checked = Boolean(x.log) || spans(study.values(x));
        draw();
      }),
      study.metricSelect(draw),
      element('label', box, ' logarithmic'),
    ),
    note,
    chart.area,
  );
  return {node, draw, chart};
}

function cutFigure(study) {
  const chart = new PointChart();
  const cutColumns = study.cuts.map((c) => ({...c, name: c.channel}));
  let x = study.over[0],
    cut = cutColumns[0];
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
      selectColumn('Over', study.over, x, (column) => {
        x = column;
        draw();
      }),
      selectColumn('Channel', cutColumns, cutColumns[0], (column) => {
        cut = column;
        draw();
      }),
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

/** The quantile of sorted values between the order statistics that are (n − 1) p apart, and the values that enclose it with the
 * confidence CONFIDENCE, NaN where there are too few; as src/study/quantile.c. */
function quantile(sorted, p) {
  const n = sorted.length,
    at = (n - 1) * p,
    i = Math.floor(at),
    missed = (1 - CONFIDENCE) / 2;
  let low = NaN,
    high = NaN,
    size = n * Math.log1p(-p), // logarithm of the binomial probability of k
    below = 0;
  for (let k = 0; k < n; k++) {
    below += Math.exp(size);
    if (below <= missed) low = sorted[k];
    if (Number.isNaN(high) && below >= 1 - missed) high = sorted[k];
    size += Math.log(((n - k) / (k + 1)) * (p / (1 - p)));
  }
  return {p, low, high, value: i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1]};
}

/** A metric of drawn points: how many fall where, the share below, quantiles. */
function distributionFigure(study) {
  const chart = new PointChart(),
    steps = uPlot.paths.stepped({align: 1}),
    settings = study.settings(),
    rows = element('tbody');
  let setting = settings[0];
  const figure = {chart, bins: null, quantiles: null},
    draw = () => {
      const {metric} = study,
        all = study.values(metric),
        values = setting.rows.map((i) => all[i]).filter(finite).sort((a, b) => a - b),
        shares = values.map((_, i) => (100 * (i + 1)) / values.length),
        shown = (x) => (finite(x) ? quantity(x, metric.unit) : '–');
      figure.bins = histogram(values);
      figure.quantiles = QUANTILES.map((p) => quantile(values, p));
      rows.replaceChildren(
        ...figure.quantiles.map(({p, value, low, high}) =>
          element(
            'tr',
            element('th', {scope: 'row'}, `${100 * p} %`),
            element('td', shown(value)),
            element('td', `${shown(low)} to ${shown(high)}`),
          ),
        ),
      );
      chart.draw(
        metric,
        {name: 'points', unit: '', whole: true},
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
        {
          share: 'share below',
          marks: figure.quantiles.map(({p, value}) => ({
            at: value,
            text: chart.area.clientWidth < NARROW ? `${100 * p} %` : `${100 * p} %: ${shown(value)}`,
          })),
        },
      );
    };
  return Object.assign(figure, {
    draw,
    node: element(
      'div',
      element(
        'div.row',
        study.metricSelect(draw),
        settings.length > 1
          ? select(
              'At',
              settings.map(({label}, i) => [i, label]),
              0,
              (i) => {
                setting = settings[i];
                draw();
              },
            )
          : null,
      ),
      chart.area,
      element(
        'div.scroll',
        {tabIndex: 0},
        element(
          'table.quantiles',
          element(
            'thead',
            element(
              'tr',
              ['Share below', 'Value', `with ${100 * CONFIDENCE} % confidence`].map((h) => element('th', {scope: 'col'}, h)),
            ),
          ),
          rows,
        ),
      ),
    ),
  });
}

/** A map needs two axes; of the others one value is chosen. */
function mapFigure(study) {
  const heat = new Heat();
  const axes = study.axes.filter((c) => c.name !== 'sample' && study.distinct(c).length > 1);
  let x = axes[0],
    y = axes[1];
  const fixed = new Map(axes.map((c) => [c, study.distinct(c)[0]])),
    bar = element('div.row'),
    metric = study.metricSelect(() => draw());
  const draw = () => {
    const z = study.metric,
      others = axes.filter((c) => c !== x && c !== y),
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
      scale: prefixed(Math.max(0, ...cells.flat().filter(finite).map(Math.abs)), z.unit),
      cells,
      show: (v) => quantity(v, z.unit),
    });
    bar.replaceChildren(
      selectColumn('Across', axes, x, (c) => {
        if (c === y) y = x;
        x = c;
        draw();
      }),
      selectColumn('Up', axes, y, (c) => {
        if (c === x) x = y;
        y = c;
        draw();
      }),
      metric,
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
      `${counted(failed.length, 'point')} failed${message && failed[0][message.index] ? `; the first said: ${failed[0][message.index]}` : ''}.`,
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
      element('p.sub', `${study.file} · ${counted(study.rows.length, 'point')}`),
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
