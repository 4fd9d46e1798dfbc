// SPDX-License-Identifier: MIT
//
// The live page: a model that can be changed, and what it does. Everything is computed in Workers (solver.js).
//
//   text or slider ──▶ reader: messages, parameters ──▶ runner: a coarse picture, then the fine one ──▶ shown
//
// What is shown is what `lash report` shows (player.js, figures.js, result_page.js), with the last result as a dashed
// ghost. Without a model of its own the page has a gallery of examples to begin from.
import {element, section} from './dom.js';
import {drawing} from './drawing.js';
import {Editor} from './editor.js';
import {download, drawingSvg} from './export.js';
import {Figures} from './figures.js';
import {counted, readResult} from './data.js';
import {LiveStudy} from './live_study.js';
import {Parameters} from './parameters.js';
import {player} from './player.js';
import {eventTable, rowsNote, summaryTable, warnings} from './result_page.js';
import {packState, rememberPage, unpackState} from './share.js';
import {Solver} from './solver.js';

const PATIENCE = 250; // ms after the last letter, before a model is computed

export function livePage(raw) {
  const savePage = rememberPage();
  let solver, reader, runner, study;
  const first = raw.examples?.find((e) => e.name === raw.name) ?? {name: raw.name, text: raw.text};
  let model = first;
  let words = {schema: null, parameters: []};
  let fine = null, // the last result that was computed to its end
    ghost = null, // the one before
    shown = null, // what is on the page, with its player and figures
    running = null; // {asked, coarse, share}
  const counts = {asked: 0, coarse: 0, fine: 0, dropped: 0};

  // ---- status

  const bar = element('progress', {max: 1, value: 0, ariaLabel: 'How much of the run is computed', hidden: true});
  const state = element('span.state', {role: 'status'}, 'Loading the solver …');
  const stop = element('button', {type: 'button', id: 'stop', hidden: true, onclick: () => runner.stop()}, 'Stop');
  const status = element('div.status', state, bar, stop);
  function say(text, kind = '') {
    state.textContent = text;
    status.dataset.kind = kind;
  }

  /** The first mistake that the editor lists below the text, where a reader at the sliders does not see it. */
  const mistake = () => editor.messages.querySelector('.wrong')?.textContent ?? '';

  // ---- the model

  const editor = new Editor({label: 'The model', onchange: () => read(true), words: () => words});
  const parameters = new Parameters((settings, moving) => {
    read(false);
    if (!moving) share();
  });
  let due = 0;
  /** Shows messages at once. Starts the run when the reader has stopped typing, or at once when a slider moves. */
  async function read(typed) {
    clearTimeout(due);
    const asked = ++counts.asked,
      text = editor.value;
    if (!typed) run();
    const answer = await reader.ask({kind: 'check', model: text, name: model.name, settings: parameters.text()});
    if (asked !== counts.asked || answer.stopped) return;
    editor.show(answer.mistakes, model.name);
    counts.checked = asked;
    if (!answer.fine) {
      if (typed) say(`The page shows the last version without mistakes. ${mistake()}`, 'wrong');
      return;
    }
    words.parameters = answer.parameters;
    parameters.show(answer.parameters);
    model.title = answer.title;
    heading.textContent = answer.title || model.name;
    document.title = `${answer.title || model.name} · Lash`;
    if (typed)
      due = setTimeout(() => {
        run();
        share();
      }, PATIENCE);
  }

  // ---- a run

  async function run() {
    const mine = {text: editor.value};
    if (!running) ghost = fine;
    running = mine;
    bar.hidden = stop.hidden = false;
    bar.value = 0;
    say('Computing …', 'busy');
    const answer = await runner.ask(
      {kind: 'run', model: editor.value, name: model.name, settings: parameters.text(), coarse: true},
      (data) => {
        if (data.coarse) {
          counts.coarse++;
          show(readResult(data.coarse), true);
          if (running === mine) say('A first, coarse picture; computing …', 'busy');
        } else if (running === mine) bar.value = data.share;
      },
    );
    if (answer.dropped) counts.dropped++;
    if (running !== mine) return;
    running = null;
    bar.hidden = stop.hidden = true;
    if (answer.stopped) say('Stopped.', 'wrong');
    else if (answer.mistakes) {
      // Not if the text has changed since then.
      if (mine.text === editor.value) editor.show(answer.mistakes, model.name);
      say(`The model cannot be run. ${mistake()}`, 'wrong');
    } else if (answer.result) {
      counts.fine++;
      const result = readResult(answer.result),
        failed = (result.summary.get('status') ?? '').startsWith('ERROR');
      counts.memory = answer.memory;
      counts.seconds = answer.seconds;
      fine = result;
      show(result, false);
      say(
        failed
          ? `The run failed: ${result.summary.get('message')}`
          : `Computed in ${answer.seconds < 1 ? `${Math.round(1000 * answer.seconds)} ms` : `${answer.seconds.toFixed(1)} s`}: ${['step', 'event']
              .map((what) => counted(Number(result.summary.get(`${what}s`)), what))
              .join(', ')}.`,
        failed ? 'wrong' : 'done',
      );
    }
  }

  // ---- results

  const motionBox = element('div.box'),
    figureBox = element('div.box'),
    summaryBox = element('div.box'),
    eventBox = element('div.box'),
    noteBox = element('div.box');
  function show(result, coarse) {
    const before = ghost && ghost.model === result.model && ghost !== result ? {...ghost, label: 'before', ghost: true} : null,
      results = before ? [result, before] : [result];
    result.label = '';
    if (shown?.moving.replace(results)) {
      shown.figures.replace(results);
    } else {
      shown?.moving.destroy();
      shown?.figures.destroy();
      const moving = player(results),
        figures = new Figures(results, moving.clock);
      motionBox.replaceChildren(...[moving.node].filter(Boolean));
      figureBox.replaceChildren(figures.node);
      shown = {moving, figures};
      moving.show?.();
      moving.clock.set(figures.timeAt(figures.beginning()));
    }
    shown.result = result;
    shown.coarse = coarse;
    Object.assign(window.lash, {results, clock: shown.moving.clock, views: shown.moving.views, figures: shown.figures, player: shown.moving, coarse});
    if (coarse) return;
    const notes = warnings(result);
    noteBox.replaceChildren(
      ...(notes.length
        ? [
            element(
              'section.warnings',
              {role: 'note'},
              element('h2', 'Notes'),
              element(
                'ul',
                notes.map((n) => element('li', n)),
              ),
            ),
          ]
        : []),
    );
    summaryBox.replaceChildren(
      element('div.columns', element('div', drawing(result)), summaryTable(before ? [{...result, label: 'now'}, before] : [result])),
    );
    eventBox.replaceChildren(eventTable([result], shown.moving.clock), rowsNote({...result, label: 'Rows'}));
    study.refresh();
  }

  // ---- sharing

  const settingsOf = () => Object.fromEntries(parameters.settings);
  const original = () => (raw.examples ? raw.examples.find((e) => e.name === model.name)?.text : raw.text);
  async function share() {
    const own = {name: model.name, settings: settingsOf()};
    if (editor.value !== original()) own.text = editor.value;
    const plain = own.text === undefined && !parameters.settings.size && model.name === first.name;
    history.replaceState(null, '', plain ? location.pathname + location.search : `#lash=${await packState(own)}`);
  }
  const told = element('span.hint', {role: 'status'});
  async function copyLink(event) {
    await share();
    try {
      await navigator.clipboard.writeText(location.href);
      told.textContent = 'The address is copied.';
    } catch {
      told.textContent = 'The address of this page now says what it shows: copy it from above.';
    }
    event.target.focus();
  }
  const base = () => model.name.replace(/\.ya?ml$/, '').replace(/.*\//, '');
  const csv = async (events) => {
    const {csv: text} = await runner.ask({kind: 'csv', events});
    if (text) download(`${base()}${events ? '-events' : ''}.csv`, text, 'text/csv');
  };
  const action = (label, act, id) => element('button.quiet', {type: 'button', onclick: act, id}, label);
  const tools = element(
    'div.row.tools',
    action('Copy link', copyLink, 'copy-link'),
    action(
      'Save page',
      () =>
        savePage(`${base()}.html`, heading.textContent, {
          ...raw,
          examples: undefined,
          name: model.name,
          text: editor.value,
          settings: settingsOf(),
        }),
      'save-page',
    ),
    action('Save model', () => download(`${base()}.yaml`, editor.value, 'text/yaml'), 'save-model'),
    action('Rows (CSV)', () => csv(false), 'save-rows'),
    action('Events (CSV)', () => csv(true), 'save-events'),
    action('Picture (PNG)', async () => shown?.moving.views[0] && download(`${base()}.png`, await shown.moving.views[0].picture()), 'save-png'),
    action(
      'Drawing (SVG)',
      () => {
        const node = document.querySelector('svg.drawing');
        if (node) download(`${base()}.svg`, drawingSvg(node), 'image/svg+xml');
      },
      'save-svg',
    ),
    told,
  );

  // ---- the page

  const heading = element('h1', model.title || model.name);
  function open(next, settings = {}) {
    model = {...next};
    fine = ghost = null;
    editor.value = next.text;
    parameters.settings = new Map(Object.entries(settings));
    heading.textContent = next.title || next.name;
    for (const card of document.querySelectorAll('.card')) card.setAttribute('aria-pressed', String(card.dataset.name === next.name));
    read(true);
  }
  const gallery = raw.examples
    ? section(
        'Gallery',
        element(
          'div.cards',
          raw.examples.map((example) =>
            element(
              'button.card',
              {
                type: 'button',
                'data-name': example.name,
                onclick: () => {
                  open(example);
                  share();
                  document.querySelector('.live').scrollIntoView({block: 'start'});
                },
              },
              element('strong', example.title),
              element('span', example.about),
            ),
          ),
        ),
      )
    : null;
  const left = element(
    'div.left',
    element('section.parameters', element('h2', 'Parameters'), status, parameters.node),
    section('Model', editor.node, element('p.hint', 'The page computes with dop853; adams and gear are available in the program only.')),
  );
  const right = element(
    'div.right',
    section('Motion', motionBox),
    noteBox,
    section('Figures', figureBox),
    section('Summary', summaryBox),
    section('Events', eventBox),
  );
  const page = [
    element('header.title', element('p.kind', raw.examples ? 'Lash · live examples' : 'Lash · live'), heading, tools),
    gallery,
    element('div.live', left, right),
  ];
  window.lash = {counts, kind: 'live', editor, parameters, ready: false};

  return {
    page,
    async ready() {
      try {
        solver = await Solver.load(raw.files);
      } catch (error) {
        return say(`The solver cannot be started here: ${error.message}`, 'wrong');
      }
      reader = solver.hand();
      runner = solver.hand();
      study = new LiveStudy(
        solver,
        () => ({text: editor.value, name: model.name, settings: settingsOf(), rows: parameters.rows, result: fine}),
        (name, text) => {
          parameters.set({...settingsOf(), [name]: text});
          document.getElementById('motion').scrollIntoView({block: 'start'});
        },
      );
      right.append(section('Study', study.node));
      Object.assign(window.lash, {solver, study, open, ready: true});
      reader.ask({kind: 'schema'}).then(({schema}) => (words.schema = schema));
      const begin = async () => {
        const given = await unpackState(location.hash),
          own = raw.examples?.find((e) => e.name === given?.name) ?? first;
        open(given ? {...own, name: given.name, text: given.text ?? own.text} : own, given?.settings ?? raw.settings ?? {});
      };
      window.addEventListener('hashchange', begin);
      await begin();
    },
  };
}
