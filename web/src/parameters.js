// SPDX-License-Identifier: MIT
//
// A slider or a choice for every parameter of a model, in the unit that the model writes.
import {element} from './dom.js';
import {number} from './data.js';

const STEPS = 1000;
const REACH = 5; // a slider without a range goes from a fifth of its value to five times its value
const LOGARITHMIC = 20; // a range that spans at least this ratio is logarithmic

/** "0.05 mm" → {size: 0.05, unit: 'mm'}; null: it is an expression of others. */
export function plainNumber(text) {
  const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([^\d\s$(+*-][^$()+]*)?$/.exec(text);
  return found ? {size: Number(found[1]), unit: (found[2] ?? '').trim()} : null;
}

/** How a parameter is moved: position 0 … 1 ↔ number in the parameter's own unit. */
export function scaleOf(parameter) {
  const usual = plainNumber(parameter.usual);
  if (!usual || parameter.choices.length || !Number.isFinite(parameter.value)) return null;
  const factor = parameter.one ?? 1;
  let low, high;
  if (parameter.range.length) [low, high] = parameter.range.map((x) => x / factor);
  else if (usual.size === 0) [low, high] = [-1, 1];
  else [low, high] = [usual.size / REACH, usual.size * REACH].sort((a, b) => a - b);
  // Shares and coefficients.
  if (!parameter.range.length && !usual.unit && usual.size > 0 && usual.size <= 1) high = Math.min(1, high);
  const logarithmic = low > 0 && high / low >= LOGARITHMIC;
  return {
    low,
    high,
    unit: usual.unit,
    factor,
    usual: usual.size,
    at: (f) => (logarithmic ? low * (high / low) ** f : low + f * (high - low)),
    position: (x) => (logarithmic ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low)),
  };
}

const digits = (x) => {
  const round = Number(x.toPrecision(4));
  return Math.abs(round) < 1e6 ? String(round) : round.toExponential().replace('+', '');
};

export class Parameters {
  /** onchange(settings, moving): texts by name that differ from the model; moving: a slider is being dragged. */
  constructor(onchange) {
    this.onchange = onchange;
    this.settings = new Map();
    this.rows = new Map();
    this.list = element('div.parameters');
    this.none = element(
      'p.note',
      {hidden: true}, // until a model has been read
      'The model has no parameters. Each entry under parameters: gets a slider here.',
    );
    this.reset = element(
      'button.quiet',
      {type: 'button', hidden: true, onclick: () => this.set({})},
      'As in the model',
    );
    this.node = element('div', this.list, this.none, this.reset);
  }
  /** What the solver is given. */
  text() {
    return [...this.settings].map(([name, value]) => `${name}=${value}\n`).join('');
  }
  set(settings) {
    this.settings = new Map(Object.entries(settings));
    for (const [name, row] of this.rows) row.put(this.settings.get(name) ?? row.parameter.usual);
    this.changed(false);
  }
  change(name, text, moving) {
    const row = this.rows.get(name);
    if (text === row.parameter.usual) this.settings.delete(name);
    else this.settings.set(name, text);
    this.changed(moving);
  }
  changed(moving) {
    this.reset.hidden = this.settings.size === 0;
    this.onchange(this.settings, moving);
  }
  /** Rows for the present parameters of a model; unchanged rows are kept, so that dragging can continue. */
  show(parameters) {
    const key = (p) => JSON.stringify([p.name, p.usual, p.unit, p.range, p.choices, p.doc]);
    const kept = new Map([...this.rows.values()].map((row) => [row.key, row]));
    const rows = parameters.map((p) => kept.get(key(p)) ?? {...this.row(p), key: key(p)});
    const same = rows.length === this.rows.size && rows.every((r, i) => r === [...this.rows.values()][i]);
    if (!same) {
      this.rows = new Map(rows.map((row) => [row.parameter.name, row]));
      for (const name of [...this.settings.keys()]) if (!this.rows.has(name) && !name.startsWith('run.')) this.settings.delete(name);
      this.list.replaceChildren(...rows.map((row) => row.node));
      for (const [name, row] of this.rows) row.put(this.settings.get(name) ?? row.parameter.usual);
    }
    // A text in another unit moves its slider when the solver has read it.
    for (const {name, text, value} of parameters) {
      const {scale, move} = this.rows.get(name);
      if (scale && plainNumber(text)?.unit !== scale.unit) move(value / scale.factor);
    }
    this.none.hidden = parameters.length > 0;
    this.reset.hidden = this.settings.size === 0;
  }
  row(parameter) {
    const {name, doc} = parameter,
      id = `parameter-${name}`,
      hint = doc ? element('span.doc', {id: `${id}-doc`}, doc) : null;
    if (parameter.choices.length) {
      const list = element(
        'select',
        {id, onchange: () => this.change(name, list.value, false)},
        parameter.choices.map((c) => element('option', {value: c}, c)),
      );
      return {
        parameter,
        node: element('div.parameter.choice', element('label', {htmlFor: id}, name), list, hint),
        put: (text) => (list.value = text),
      };
    }
    const scale = scaleOf(parameter);
    const field = element('input', {
      type: 'text',
      id: `${id}-text`,
      size: 9,
      autocomplete: 'off',
      ariaLabel: `${name}, as a number`,
      onchange: () => {
        const typed = field.value.trim() || parameter.usual,
          // A number alone is in the unit of the slider beside it.
          text = scale?.unit && plainNumber(typed)?.unit === '' ? `${typed} ${scale.unit}` : typed;
        this.rows.get(name).put(text);
        this.change(name, text, false);
      },
    });
    if (!scale)
      return {
        parameter,
        node: element('div.parameter', element('label', {htmlFor: field.id}, name), element('span.follows', 'follows others'), field, hint),
        put: (text) => (field.value = text),
      };
    const write = (x) => (scale.unit ? `${digits(x)} ${scale.unit}` : digits(x));
    const slider = element('input', {
      type: 'range',
      id,
      min: 0,
      max: STEPS,
      step: 1,
      oninput: () => {
        field.value = write(scale.at(slider.value / STEPS));
        say();
        this.change(name, field.value, true);
      },
      onchange: () => this.change(name, field.value, false),
    });
    const say = () => slider.setAttribute('aria-valuetext', field.value);
    if (hint) slider.setAttribute('aria-describedby', hint.id);
    const move = (x) => (slider.value = String(Math.round(STEPS * Math.min(1, Math.max(0, scale.position(x))))));
    const put = (text) => {
      field.value = text;
      const plain = plainNumber(text);
      if (plain?.unit === scale.unit) move(plain.size);
      say();
    };
    const ends = element('span.ends', element('span', number(scale.low, 3)), element('span', `${number(scale.high, 3)} ${scale.unit}`));
    return {
      parameter,
      scale,
      move,
      write,
      node: element('div.parameter', element('label', {htmlFor: id}, name), element('span.track', slider, ends), field, hint),
      put,
    };
  }
}
