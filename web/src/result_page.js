// SPDX-License-Identifier: MIT
//
// The page of one or two results.
import {element, section, sortableTable} from './dom.js';
import {drawing} from './drawing.js';
import {Figures} from './figures.js';
import {number, quantity, readResult} from './data.js';
import {player} from './player.js';

const ROWS = [
  // name in the summary, heading, unit
  ['status', 'Ended', null],
  ['end', 'Time computed', 's'],
  ['discard', 'Transient, until', 's'],
  ['steps', 'Accepted steps', ''],
  ['rejected', 'Rejected steps', ''],
  ['evaluations', 'Evaluations', ''],
  ['events', 'Events', ''],
  ['max_position_violation', 'Largest constraint violation', ''],
  ['max_balance_error', 'Energy balance error', 'J'],
  ['energy_exchanged', 'Energy exchanged', 'J'],
];
const PLAY_ROWS = [
  ['impacts', 'Impacts', ''],
  ['impacts_per_turn', 'Impacts per turn', ''],
  ['contacts', 'Contacts', ''],
  ['peak_force', 'Peak force', 'N'],
  ['peak_time', '… at', 's'],
  ['peak_elastic', '… of it elastic', 'N'],
  ['peak_damping', '… of it damping', 'N'],
  ['first_turn_peak_force', 'Peak force in the first turn', 'N'],
  ['later_peak_force', '… after it', 'N'],
  ['after_peak_force', 'Peak force after the transient', 'N'],
  ['after_peak_time', '… at', 's'],
  ['after_impacts', 'Impacts after the transient', ''],
  ['peak_penetration', 'Peak penetration', 'm'],
  ['energy_lost', 'Energy lost', 'J'],
  ['free_fraction', 'Time free', '%'],
  ['impact_fraction', 'Time in impact', '%'],
  ['following_fraction', 'Time following', '%'],
  ['film_loss', 'Lost in the film', 'J'],
  ['min_film', 'Least film', 'm'],
  ['through', 'Film pressed through', ''],
];
const STIFF = 0.5; // share of the steps from which another method is advised

const ENDINGS = {OK: 'as planned', STOP_END: 'as planned', STOP_EVENT: 'by an event', STOP_INTERRUPTED: 'interrupted'};

function shown(name, text, unit, none = false) {
  if (text === undefined || none) return '–';
  if (name === 'status') return ENDINGS[text] ?? text;
  const x = Number(text);
  if (unit === null || Number.isNaN(x)) return /^-?nan$/i.test(text) ? '–' : text;
  if (unit === '%') return `${number(100 * x, 3)} %`;
  return unit === '' && Number.isInteger(x) ? x.toLocaleString('en').replace(/,/g, ' ') : quantity(x, unit);
}

/** A unit in a contact: of stops that turn, and of teeth whose play is an angle, depths are angles. */
function unitOf(result, contact, unit) {
  const turns = result.plot.units.get(`${contact}.delta`) === 'rad';
  return (turns && {m: 'rad', 'm/s': 'rad/s', N: 'N m', 'N s': 'N m s'}[unit]) || unit;
}

/** Whether a value of a contact says nothing, because there was none. */
const isEmpty = (summary, contact, name) =>
  /peak/.test(name) && !(Number(summary.get(`${contact}.${name.replace(/_time$|_penetration$/, '_force')}`)) > 0);

/** Where the model names a transient, the first turn is not shown apart from it. */
const isTold = (summary, name) => !/^(first_turn|later)/.test(name) || Number.isNaN(Number(summary.get('discard')));

const joints = (summary) =>
  [...summary.keys()].filter((k) => k.endsWith('.contacts')).map((k) => k.slice(0, -'.contacts'.length));

export function summaryTable(results) {
  const line = (heading, cells) =>
    element(
      'tr',
      element('th', {scope: 'row'}, heading),
      cells.map((c) => element('td', c)),
    );
  const isKnown = (text) => text !== undefined && !/^-?nan$/i.test(text);
  const rows = ROWS.filter(([name]) => results.some((r) => isKnown(r.summary.get(name)))).map(([name, heading, unit]) =>
    line(
      heading,
      results.map((r) => shown(name, r.summary.get(name), unit)),
    ),
  );
  for (const joint of new Set(results.flatMap((r) => joints(r.summary)))) {
    rows.push(
      element(
        'tr.group',
        element(
          'th',
          {colSpan: results.length + 1, scope: 'rowgroup'},
          joint.includes('.') ? 'Contact ' : 'Play in ',
          element('strong', joint),
        ),
      ),
    );
    for (const [name, heading, unit] of PLAY_ROWS)
      if (results.some((r) => r.summary.has(`${joint}.${name}`) && isTold(r.summary, name)))
        rows.push(
          line(
            heading,
            results.map((r) =>
              shown(name, r.summary.get(`${joint}.${name}`), unitOf(r, joint, unit), isEmpty(r.summary, joint, name)),
            ),
          ),
        );
  }
  const head =
    results.length > 1
      ? element(
          'thead',
          element(
            'tr',
            element('td'),
            results.map((r) => element('th', {scope: 'col'}, r.label)),
          ),
        )
      : null;
  return element('div.scroll', {tabIndex: 0}, element('table.summary', head, element('tbody', rows)));
}

/** What a reader should know before trusting the figures. */
export function warnings(result) {
  const list = [...result.warnings],
    s = result.summary,
    n = (name) => Number(s.get(name));
  if (!s.size) list.push('The run was cut off: there is no summary, and the figures show what was written until then.');
  else if (!(s.get('status') in ENDINGS))
    list.push(`The run failed (${s.get('status')}): ${s.get('message') || 'no message'}`);
  for (const [name, text] of s) if (/^warning\.\d+$/.test(name)) list.push(text);
  if (n('stiff_steps') > STIFF * n('steps'))
    list.push('Most steps were shortened by stability, not by accuracy: the method gear may be faster.');
  return list;
}

const EVENT_COLUMNS = [
  ['time', 'Time', 's', 6],
  ['kind', 'Event'],
  ['joint', 'Joint'],
  ['speed', 'Speed', 'm/s'],
  ['peak_force', 'Peak force', 'N'],
  ['peak_penetration', 'Penetration', 'm'],
  ['duration', 'Duration', 's'],
  ['impulse', 'Impulse', 'N s'],
  ['energy_lost', 'Energy lost', 'J'],
  ['angle', 'Direction', '°'],
];

export function eventTable(results, clock) {
  const rows = results.flatMap((result) => result.events.map((event) => ({...event, result})));
  if (!rows.length) return element('p.note', 'There were no contacts and no other events.');
  // An impact that takes no time has an impulse, and no force; where there is none, impulses are not shown.
  const sudden = (e) => e.kind === 'impact' && e.duration === 0;
  const columns = EVENT_COLUMNS.filter(([key]) => key !== 'impulse' || rows.some(sudden)).map(([key, name, unit, digits]) => ({
    name,
    numeric: unit !== undefined,
    falls: key !== 'time',
    value: (e) => e[key],
    show: (e) =>
      (/^(peak|duration|energy|impulse)/.test(key) && /^(onset|film)/.test(e.kind)) || (/^(peak|duration)/.test(key) && sudden(e))
        ? ''
        : unit === undefined
          ? e[key]
          : unit === '°'
            ? number((e[key] * 180) / Math.PI, 4) + '°'
            : quantity(e[key], unitOf(e.result, e.joint, unit), digits),
  }));
  if (results.length > 1)
    columns.splice(1, 0, {name: 'Result', value: (e) => e.result.label, show: (e) => e.result.label});
  const table = sortableTable(columns, rows, {
    onpick: (e) => {
      clock.pause();
      clock.set(e.time);
      document.getElementById('time')?.scrollIntoView({block: 'center'});
    },
  });
  const choose = (label, values, key) =>
    element(
      'label',
      `${label} `,
      element(
        'select',
        {
          onchange: (event) => {
            wanted[key] = event.target.value;
            refill();
          },
        },
        element('option', {value: ''}, 'all'),
        [...values].map((v) => element('option', {value: v}, v)),
      ),
    );
  const wanted = {kind: '', joint: ''};
  const refill = () =>
    table.refill(
      rows.filter((e) => (!wanted.kind || e.kind === wanted.kind) && (!wanted.joint || e.joint === wanted.joint)),
    );
  const left = results
    .filter((r) => r.eventTotal > r.events.length)
    .map((r) =>
      element(
        'p.note',
        `${r.label}: the ${r.events.length} strongest of ${r.eventTotal} events; lash export --events gives them all.`,
      ),
    );
  return element(
    'div',
    element(
      'div.row',
      choose('Event', new Set(rows.map((e) => e.kind)), 'kind'),
      choose('Joint', new Set(rows.map((e) => e.joint)), 'joint'),
      element('span.hint', 'A heading sorts; a time goes there.'),
    ),
    left,
    table.node,
  );
}

const quoted = (text) => (/^[\w.:/=+-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`);

export function reproduction(result) {
  const settings = (result.settings || '').split('\n').filter(Boolean);
  const command = ['lash run model.yaml', ...settings.map((s) => `--set ${quoted(s)}`)].join(' ');
  const copy = (text) =>
    element(
      'button.quiet',
      {
        type: 'button',
        onclick: async (event) => {
          try {
            await navigator.clipboard.writeText(text);
            event.target.textContent = 'Copied';
          } catch {
            event.target.textContent = 'Not allowed here';
          }
        },
      },
      'Copy',
    );
  return element(
    'div',
    element('p', `Computed with Lash ${result.version}. Save the model as model.yaml; then`),
    element('div.code', copy(command), element('pre', {tabIndex: 0}, command)),
    element(
      'details',
      {open: false},
      element('summary', 'The model'),
      element('div.code', copy(result.model), element('pre.model', {tabIndex: 0}, result.model)),
    ),
  );
}

const each = (results, make) =>
  results.map((r) => (results.length > 1 ? element('div', element('h3', r.label), make(r)) : make(r)));

export function rowsNote(result) {
  const many = (n) => n.toLocaleString('en').replace(/,/g, ' '),
    what = `${many(result.rows)} recorded ${result.stream === 'steps' ? 'steps' : 'samples'}${
      result.peaks ? ` and ${many(result.peaks)} ${result.peaks === 1 ? 'peak' : 'peaks'} between them` : ''
    }`;
  const text =
    result.rowsPerPoint > 1
      ? `The figures show the least and the greatest value in every ${result.rowsPerPoint} of ${what}: no peak is lost.`
      : `The figures show all of the ${what}.`;
  const begins =
    result.begin > result.plot.time[0]
      ? ` They begin at ${quantity(result.begin, 's')}, after the transient that the model discards; All shows it, in grey.`
      : '';
  return element('p.hint', `${result.label}: ${text}${begins}`);
}

export function resultPage(raw) {
  const results = raw.results.map(readResult);
  const notes = results.flatMap((r) => warnings(r).map((text) => (results.length > 1 ? `${r.label}: ${text}` : text)));
  const moving = player(results);
  const figures = new Figures(results, moving.clock);
  const title = results[0].title || results[0].file;
  const page = [
    element(
      'header.title',
      element('p.kind', results.length > 1 ? 'Lash · two results' : 'Lash · result'),
      element('h1', title),
      results.length > 1 && results[1].title !== results[0].title
        ? element('p.sub', `and ${results[1].title || results[1].file}`)
        : null,
      results.length > 1 || results[0].title ? element('p.sub', results.map((r) => r.file).join(' · ')) : null,
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
    moving.node ? section('Motion', moving.node) : null,
    section('Figures', figures.node, results.map(rowsNote)),
    section(
      'Summary',
      element(
        'div.columns',
        summaryTable(results),
        element(
          'div',
          each(
            results.filter((r, i) => i === 0 || r.model !== results[0].model || r.settings !== results[0].settings),
            drawing,
          ),
        ),
      ),
    ),
    section('Events', eventTable(results, moving.clock)),
    section('How to compute it again', each(results, reproduction)),
  ];
  return {
    page,
    ready() {
      moving.show?.();
      moving.clock.set(figures.timeAt(figures.beginning()));
      // For tests, and for the curious.
      window.lash = {results, clock: moving.clock, views: moving.views, figures, player: moving};
    },
  };
}
