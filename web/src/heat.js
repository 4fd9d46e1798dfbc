// SPDX-License-Identifier: MIT
//
// A map of numbers over two axes as a grid of coloured cells with its scale of colours. Cells are placed by order, not
// by value: axes of studies may be words. A readout follows the pointer and the arrow keys.
import {number} from './data.js';
import {colour, element, onTheme} from './dom.js';

// Points of a colour scale with even steps of lightness, dark to light; colour-blind readers see the same order.
const SCALE = [
  [32, 26, 70],
  [52, 70, 132],
  [46, 113, 142],
  [39, 152, 135],
  [96, 188, 99],
  [190, 209, 66],
  [252, 231, 80],
];
const MARGIN = {right: 74, top: 30, bottom: 52};
const FONT = '12px system-ui, sans-serif';
const TICKS = 5; // of the scale of colours, about
const HEIGHT = 380;

function tint(share) {
  const x = Math.min(0.9999, Math.max(0, share)) * (SCALE.length - 1),
    i = Math.floor(x),
    f = x - i;
  return `rgb(${SCALE[i].map((a, k) => Math.round(a + f * (SCALE[i + 1][k] - a))).join(',')})`;
}

const DARK = 0.55; // share of the scale

/** Round numbers between two. */
export function ticks(low, high) {
  if (!(high > low)) return [low];
  const rough = (high - low) / TICKS,
    power = 10 ** Math.floor(Math.log10(rough)),
    step = power * [1, 2, 5, 10].find((m) => m * power >= rough),
    list = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12); k++) list.push(Number((k * step).toPrecision(12)));
  return list;
}

export class Heat {
  constructor() {
    this.canvas = element('canvas', {tabIndex: 0, role: 'img', ariaLabel: 'Map; the arrow keys read its cells'});
    this.readout = element('p.small.readout', {ariaLive: 'polite'});
    this.node = element('div.heat', this.canvas, this.readout);
    this.cell = [0, 0];
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.map && this.paint()).observe(this.node);
    onTheme(() => this.map && this.paint());
  }

  draw(map) {
    this.map = map;
    const all = map.cells.flat().filter(Number.isFinite);
    this.low = Math.min(...all);
    this.high = Math.max(...all);
    this.cell = [0, 0];
    this.paint();
    this.read();
  }

  place() {
    const {cells} = this.map,
      width = this.node.clientWidth || 600;
    const g = this.canvas.getContext('2d');
    g.font = FONT;
    const left = 30 + Math.max(16, ...this.map.y.marks.map((text) => g.measureText(text).width)),
      right = width < 500 ? 62 : MARGIN.right;
    return {
      width,
      left,
      right,
      columns: cells[0].length,
      rows: cells.length,
      dx: (width - left - right) / cells[0].length,
      dy: (HEIGHT - MARGIN.top - MARGIN.bottom) / cells.length,
    };
  }

  paint() {
    const {map, canvas} = this,
      p = this.place(),
      ratio = Math.min(2, devicePixelRatio),
      g = canvas.getContext('2d');
    canvas.width = p.width * ratio;
    canvas.height = HEIGHT * ratio;
    canvas.style.width = `${p.width}px`;
    canvas.style.height = `${HEIGHT}px`;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, p.width, HEIGHT);
    g.font = FONT;
    const span = this.high - this.low || 1,
      bottom = HEIGHT - MARGIN.bottom,
      {scale} = map,
      texts = map.cells.map((row) => row.map((value) => (Number.isFinite(value) ? number(value / scale.factor, 3) : '–'))),
      written = p.dy > 18 && texts.flat().every((text) => g.measureText(text).width < p.dx - 6);
    g.textAlign = 'center';
    map.cells.forEach((row, k) =>
      row.forEach((value, i) => {
        g.fillStyle = Number.isFinite(value) ? tint((value - this.low) / span) : colour('line');
        g.fillRect(p.left + i * p.dx, bottom - (k + 1) * p.dy, p.dx + 0.5, p.dy + 0.5);
        if (!written) return;
        // On the dark half of the scale in white.
        g.fillStyle = !Number.isFinite(value) ? colour('muted') : (value - this.low) / span < DARK ? '#fff' : '#000';
        g.fillText(texts[k][i], p.left + (i + 0.5) * p.dx, bottom - (k + 0.5) * p.dy + 4);
      }),
    );
    g.fillStyle = colour('muted');
    const every = Math.ceil(Math.max(...map.x.marks.map((text) => g.measureText(text).width + 10)) / p.dx),
      upEvery = Math.ceil(18 / p.dy);
    map.x.marks.forEach((text, i) => i % every === 0 && g.fillText(text, p.left + (i + 0.5) * p.dx, bottom + 16));
    g.fillText(map.x.title, p.left + (p.columns * p.dx) / 2, bottom + 38);
    g.textAlign = 'right';
    map.y.marks.forEach((text, k) => k % upEvery === 0 && g.fillText(text, p.left - 6, bottom - (k + 0.5) * p.dy + 4));
    g.save();
    g.translate(12, (bottom + MARGIN.top) / 2);
    g.rotate(-Math.PI / 2);
    g.textAlign = 'center';
    g.fillText(map.y.title, 0, 0);
    g.restore();
    this.paintScale(g, p, bottom);
    const [i, k] = this.cell;
    g.strokeStyle = colour('ink');
    g.lineWidth = 2;
    g.strokeRect(p.left + i * p.dx + 1, bottom - (k + 1) * p.dy + 1, p.dx - 2, p.dy - 2);
  }

  paintScale(g, p, bottom) {
    const x = p.width - p.right + 14,
      height = bottom - MARGIN.top;
    for (let y = 0; y < height; y++) {
      g.fillStyle = tint(1 - y / height);
      g.fillRect(x, MARGIN.top + y, 12, 1.5);
    }
    const {factor, unit} = this.map.scale;
    g.fillStyle = colour('muted');
    g.textAlign = 'left';
    for (const tick of ticks(this.low / factor, this.high / factor)) {
      const y = bottom - (height * (tick * factor - this.low)) / (this.high - this.low || 1);
      g.fillRect(x + 12, y - 0.5, 4, 1);
      g.fillText(number(tick, 4), x + 19, y + 4, p.right - 34);
    }
    g.textAlign = 'right';
    g.fillText(`${this.map.title}${unit ? ` (${unit})` : ''}`, p.width - 8, MARGIN.top - 12);
  }

  point(event) {
    const p = this.place(),
      box = this.canvas.getBoundingClientRect();
    this.go(
      Math.floor((event.clientX - box.left - p.left) / p.dx),
      Math.floor((HEIGHT - MARGIN.bottom - (event.clientY - box.top)) / p.dy),
    );
  }
  key(event) {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(this.cell[0] + step[0], this.cell[1] + step[1]);
  }
  go(i, k) {
    const {columns, rows} = this.place();
    if (i < 0 || k < 0 || i >= columns || k >= rows) return;
    this.cell = [i, k];
    this.paint();
    this.read();
  }
  read() {
    const {
        map,
        cell: [i, k],
      } = this,
      value = map.cells[k][i];
    this.readout.textContent = `${map.x.title}: ${map.x.marks[i]} · ${map.y.title}: ${map.y.marks[k]} · ${map.title}: ${Number.isFinite(value) ? map.show(value) : 'no value'}`;
  }
}
