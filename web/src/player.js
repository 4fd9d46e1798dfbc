// SPDX-License-Identifier: MIT
//
// The animations of one or two results with their controls: play, speed, time, magnification of the play, what the
// view shows.
import {Chart} from './chart.js';
import {Clock} from './clock.js';
import {calm, element} from './dom.js';
import {impactsOf, number, quantity} from './data.js';
import {Motion} from './motion.js';
import {usefulMagnification} from './plays.js';
import {describe} from './shapes.js';
import {Sound} from './sound.js';
import {View} from './view.js';

const STEPS = 1000; // of the sliders
const SECONDS_PER_TURN = 2.5; // on the screen, at first
const FLASH = 0.25; // s on the screen

/** The time that one turn of the first drive takes, or a tenth of the run. */
function period(result) {
  const {plot} = result,
    span = plot.time[plot.count - 1] - plot.time[0];
  for (const name of plot.names) {
    const values = plot.get(name),
      drive = name.replace(/\.angle$/, '');
    if (drive === name || !plot.get(`${drive}.torque`)) continue;
    const turns = Math.abs(values[plot.count - 1] - values[0]) / (2 * Math.PI);
    if (turns >= 1) return span / turns;
  }
  return span / 10;
}

function slider(label, settings, oninput) {
  const input = element('input', {
    type: 'range',
    min: 0,
    max: STEPS,
    step: 1,
    ...settings,
    oninput: () => oninput(Number(input.value)),
  });
  const shown = element('output');
  const node = element('label.slider', element('span.name', label), input, shown);
  return {node, input, shown};
}

function makeViews(results) {
  const views = [],
    notes = [];
  results.forEach((result) => {
    if (!result.scene || result.ghost) return;
    const motion = new Motion(result),
      machine = describe(result, motion);
    try {
      const view = new View(machine, motion);
      view.result = result;
      view.setImpacts(calm() ? [] : impactsOf(result));
      views.push(view);
    } catch (error) {
      notes.push('The animation needs WebGL, which this browser does not offer.');
    }
    if (motion.unknown.length)
      notes.push(
        `Not recorded, and drawn as at the start: ${motion.unknown.join(', ')} (.x, .y and .angle are needed).`,
      );
  });
  return {views, notes: [...new Set(notes)]};
}

/** A text that is equal for two machines that look the same. */
const likeness = ({planar, bodies, joints, plays}) =>
  JSON.stringify([planar, bodies.map((b) => b.name), joints.map((j) => [j.name, j.type]), plays.map((p) => p.drawn)]);

function span(results) {
  const times = results.filter((r) => !r.ghost).map((r) => [r.plot.time[0], r.plot.time[r.plot.count - 1]]);
  return [Math.min(...times.map((t) => t[0])), Math.max(...times.map((t) => t[1]))];
}

/** The section with everything that moves; null where there is no model to draw. */
export function player(results) {
  const {views, notes} = makeViews(results),
    over = new AbortController();
  const clock = new Clock(...span(results), 1);
  if (!views.length)
    return {
      clock,
      views,
      charts: [],
      replace: () => false,
      destroy: () => clock.pause(),
      node: notes.length
        ? element(
            'div',
            notes.map((n) => element('p.note', n)),
          )
        : null,
    };

  // --- time
  const toggle = element('button.main', {
    type: 'button',
    onclick: () => (clock.playing ? clock.pause() : clock.play()),
  });
  const step = (direction) => {
    const {time} = views[0].motion.frames,
      k = views[0].motion.find(clock.time)[0] + direction;
    clock.pause();
    clock.set(time[Math.min(time.length - 1, Math.max(0, k))]);
  };
  const back = element(
    'button',
    {type: 'button', title: 'One frame back (←)', ariaLabel: 'One frame back', onclick: () => step(-1)},
    '◂',
  );
  const on = element(
    'button',
    {type: 'button', title: 'One frame forward (→)', ariaLabel: 'One frame forward', onclick: () => step(1)},
    '▸',
  );
  const time = slider('Time', {id: 'time'}, (value) => {
    clock.pause();
    clock.set(clock.start + ((clock.end - clock.start) * value) / STEPS);
  });
  // --- speed, on a logarithmic slider from a ten-thousandth of the usual one to a hundredfold
  let usual = period(results[0]) / SECONDS_PER_TURN;
  const speed = slider('Speed', {id: 'speed', value: STEPS / 2}, (value) => {
    clock.rate = usual * 10 ** (4 * (value / STEPS - 0.5));
    for (const view of views) view.flashTime = FLASH * clock.rate;
    speed.shown.textContent = `1 s shows ${quantity(clock.rate, 's', 2)}`;
    speed.input.setAttribute('aria-valuetext', speed.shown.textContent);
  });
  // --- play
  const useful = views.map((v) => usefulMagnification(v.machine));
  let most = Math.max(...useful.map((u) => u.most));
  let magnification = Math.max(...useful.map((u) => u.start));
  for (const view of views) {
    view.magnification = magnification;
    view.fit();
  }
  const enlarge = slider(
    'Play ×',
    {id: 'magnification', value: most > 1 ? (STEPS * Math.log(magnification)) / Math.log(most) : 0},
    (value) => {
      magnification = value === 0 ? 1 : most ** (value / STEPS);
      show();
    },
  );
  enlarge.node.hidden = most <= 1;
  // --- what is seen
  // The machines may differ in their play: each shows the one that is looked at, if it has it.
  const called = ({joints}, p) => {
      const {name, plays: own} = joints[p.joint];
      return own.length > 1 ? `${name} (${p.drawn})` : name;
    },
    plays = [...new Set(views.flatMap((v) => v.machine.plays.map((p) => called(v.machine, p))))];
  const look = element(
    'select',
    {
      id: 'look',
      onchange: () =>
        views.forEach((v) => v.watch(v.machine.plays.find((p) => called(v.machine, p) === look.value)?.index ?? -1)),
    },
    element('option', {value: ''}, 'the machine'),
    plays.map((name) => element('option', {value: name}, name)),
  );
  const names = element('input', {
    type: 'checkbox',
    id: 'names',
    onchange: () =>
      views.forEach((v) => {
        v.names = names.checked;
        v.render();
      }),
  });
  const buttons = [
    ['Closer', '+', (v) => v.zoom(1.25)],
    ['Farther', '−', (v) => v.zoom(0.8)],
    ['Whole', '⤢', (v) => v.fit()],
  ].map(([label, sign, act]) =>
    element(
      'button',
      {
        type: 'button',
        title: label,
        ariaLabel: label,
        onclick: () => {
          views.forEach(act);
          if (label === 'Whole') look.value = '';
        },
      },
      sign,
    ),
  );

  const charts = views.flatMap((v) =>
    v.machine.plays
      .filter((p) => v.motion.readers[p.index])
      .map((p) => new Chart(p, v.machine.joints[p.joint], v.motion, views.length > 1 ? v.result.label : '')),
  );
  const sound = new Sound(clock, () => (views.find((v) => v.impacts.length) ?? views[0]).impacts),
    noise = element('input', {type: 'checkbox', id: 'sound', onchange: () => sound.turn(noise.checked)});
  function show() {
    for (const view of views) view.update(clock.time, magnification);
    for (const chart of charts) chart.update(clock.time);
    toggle.textContent = clock.playing ? 'Pause' : 'Play';
    toggle.setAttribute('aria-pressed', String(clock.playing));
    time.input.value = String(Math.round((STEPS * (clock.time - clock.start)) / (clock.end - clock.start || 1)));
    time.shown.textContent = quantity(clock.time, 's', 5);
    time.input.setAttribute('aria-valuetext', time.shown.textContent);
    enlarge.shown.textContent = number(magnification, 3);
    enlarge.input.setAttribute('aria-valuetext', `${number(magnification, 3)} times`);
  }
  clock.listen(show);
  speed.input.dispatchEvent(new Event('input'));
  document.addEventListener('keydown', (event) => {
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY)$/.test(event.target.tagName)
    )
      return;
    if (event.key === ' ') clock.playing ? clock.pause() : clock.play();
    else if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'ArrowRight') step(1);
    else return;
    event.preventDefault();
  }, {signal: over.signal});

  const bar = element(
    'div.controls',
    element('div.buttons', back, toggle, on),
    time.node,
    speed.node,
    enlarge.node,
    element(
      'div.row',
      plays.length ? element('label', 'Look at ', look) : null,
      element('label', names, ' names'),
      plays.length ? element('label', {title: 'Every impact is a click, as loud as its impulse'}, noise, ' sound') : null,
      element('span.buttons', buttons),
    ),
  );
  const key = plays.length
    ? element(
        'p.key',
        ['gap', 'impact', 'following'].map((mode) =>
          element(
            'span',
            element(`i.swatch.${mode}`),
            {gap: ' free flight or film', impact: ' impact', following: ' following'}[mode],
          ),
        ),
        views.some((v) => v.plays.some((p) => p.force))
          ? element('span', element('i.swatch.force'), ' force on the journal or block (length: square root)')
          : null,
      )
    : null;
  const shown = charts.length
      ? element(
          'div.orbits',
          charts.map((o) => o.node),
        )
      : null,
    beside = charts.length === 1 && views.length === 1;
  const node = element(
    'div',
    notes.map((n) => element('p.note', n)),
    element(
      beside ? 'div.beside' : 'div',
      element(
        `div.views.of${views.length}`,
        views.map((v) => element('figure', v.node, views.length > 1 ? element('figcaption', v.result.label) : null)),
      ),
      beside ? shown : null,
    ),
    bar,
    key,
    beside ? null : shown,
  );
  return {
    clock,
    views,
    charts,
    node,
    show,
    sound,
    get magnification() {
      return magnification;
    },
    /** Shows another run of the same machine, with the one before as a ghost; false: the machine differs. */
    replace(next) {
      const [result, ghost] = next;
      if (next.length - (ghost?.ghost ? 1 : 0) !== 1 || views.length !== 1 || !result.scene) return false;
      const motion = new Motion(result),
        machine = describe(result, motion);
      if (likeness(machine) !== likeness(views[0].machine)) return false;
      const shadow = ghost?.scene && new Motion(ghost);
      views[0].result = result;
      views[0].setImpacts(calm() ? [] : impactsOf(result));
      for (const chart of charts) {
        const play = machine.plays[chart.play.index];
        chart.replace(play, machine.joints[play.joint], motion, shadow);
      }
      // Larger play looks larger, up to a size.
      const fits = usefulMagnification(machine);
      most = fits.most;
      magnification = Math.max(1, Math.min(magnification, most, 2 * fits.start));
      enlarge.input.value = String(most > 1 ? (STEPS * Math.log(magnification)) / Math.log(most) : 0);
      enlarge.node.hidden = most <= 1;
      views[0].replace(machine, motion, magnification);
      // The place in the run stays, and so does the time that a turn takes on the screen.
      const share = (clock.time - clock.start) / (clock.end - clock.start || 1);
      [clock.start, clock.end] = span(next);
      usual = period(result) / SECONDS_PER_TURN;
      speed.input.dispatchEvent(new Event('input'));
      clock.set(clock.start + share * (clock.end - clock.start));
      return true;
    },
    destroy() {
      clock.pause();
      over.abort();
      sound.turn(false);
      for (const chart of charts) chart.destroy();
      for (const view of views) view.destroy();
    },
    setMagnification(m) {
      enlarge.input.value = String((STEPS * Math.log(m)) / Math.log(most));
      enlarge.input.dispatchEvent(new Event('input'));
    },
  };
}
