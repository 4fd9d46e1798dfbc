// SPDX-License-Identifier: MIT
//
// Looks at pages of `lash live` in Chromium: node live.mjs WEB FOLDER BROKEN (live.sh makes what it looks at).
import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {browser, check, checkNarrowPage, close, done, finish, folder, nameless, open, rest, web} from './browser.mjs';

const [broken, model] = rest;
const SAME = 1e-9;
const FLAT = 1e-7; // where a maximum stands
const MOST_COST = 2; // times the program's own time
const ROUNDS = 31; // of the comparison of both
const DRAGS = 500;
const LEAST_BROKEN = 300;
const LATENCY = 100; // ms, of the middle one of many inputs while a run goes on

const read = (name) => readFileSync(join(folder, name), 'utf8');
const computed = (page, from = 0) =>
  page.waitForFunction((n) => window.lash.counts.fine > n && !document.querySelector('.status [id=stop]:not([hidden])'), from, {
    timeout: 60000,
  });
const counts = (page) => page.evaluate(() => ({...window.lash.counts}));
async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const path = join(folder, `saved-${download.suggestedFilename()}`);
  await download.saveAs(path);
  return {path, name: download.suggestedFilename(), bytes: readFileSync(path)};
}
const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];
/** Processor time of the program's run of flores-2010 as a user has it, s: that of the process less what a run of no length takes. */
function nativeTime() {
  const [whole, none] = ['2 rev of motor', '1 ns'].map((until) => {
    const run = `TIMEFORMAT='%U %S'; time "$LASH" run "$1" --until "$2" -o "$3" -q`,
      {stderr} = spawnSync('bash', ['-c', run, 'bash', model, until, join(folder, 'cost.h5')], {encoding: 'utf8', env: {...process.env, LASH_CHECK: '0'}});
    return stderr.trim().split(' ').reduce((sum, x) => sum + Number(x), 0);
  });
  return whole - none;
}
/** Processor time of all Workers of this test's browser so far, s. */
function workerTime() {
  const parent = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      parent.set(pid, readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) \S /s, '').split(' ')[0]);
    } catch {} // it has ended meanwhile
  const ours = (pid) => pid === String(process.pid) || (parent.has(pid) && ours(parent.get(pid)));
  let time = 0;
  for (const pid of [...parent.keys()].filter(ours))
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const at = `/proc/${pid}/task/${thread}`;
        if (/DedicatedWorker/.test(readFileSync(`${at}/comm`, 'utf8'))) time += 1e-9 * Number(readFileSync(`${at}/schedstat`, 'utf8').split(' ')[0]);
      }
    } catch {}
  return time;
}
/** The page's solver in a Worker of its own: a function that runs flores-2010 some times and gives the time of one run, s. */
async function solverInWorker() {
  const code = `${readFileSync(join(web, '../solver/solver.js'), 'utf8')}
    let begin, advance;
    onmessage = async ({data}) => {
      if (data.wasm) {
        const instance = await makeSolver({wasmBinary: Uint8Array.from(atob(data.wasm), (c) => c.charCodeAt(0)), print() {}, printErr() {}});
        begin = instance.cwrap('lash_live_begin', 'string', ['string', 'string', 'string', 'number', 'string', 'string', 'number', 'number']);
        advance = instance.cwrap('lash_live_advance', 'number', ['number']);
      }
      for (let k = 0; k < data.runs; k++) {
        begin(data.model, 'plane.yaml', 'run.until=2 rev of motor\\n', 0, '', '', 0, 0);
        while (advance(0.03));
      }
      postMessage(0);
    };`,
    page = await browser.newPage(),
    ask = (message) =>
      page.evaluate((m) => new Promise((resolve) => {
        window.solver.onmessage = resolve;
        window.solver.postMessage(m);
      }), message);
  await page.evaluate((text) => void (window.solver = new Worker(URL.createObjectURL(new Blob([text], {type: 'text/javascript'})))), code);
  await ask({wasm: readFileSync(join(web, '../solver/solver.wasm')).toString('base64'), runs: 0});
  return async (runs) => {
    const before = workerTime();
    await ask({model: readFileSync(model, 'utf8'), runs});
    return (workerTime() - before) / runs;
  };
}
const settings = (page) => page.evaluate(() => Object.fromEntries(window.lash.parameters.settings));
const set = (page, values) => page.evaluate((v) => window.lash.parameters.set({...Object.fromEntries(window.lash.parameters.settings), ...v}), values);

/** name = number, line by line. */
const numbers = (text) => new Map([...text.matchAll(/^(\S+) = (-?[\d.].*)$/gm)].map(([, key, value]) => [key, Number(value)]));

function table(text) {
  const [head, ...lines] = text
    .trim()
    .split('\n')
    .map((l) => l.split(','));
  return lines.map((l) => Object.fromEntries(head.map((h, i) => [h.replace(/ \[.*\]$/, ''), l[i]])));
}

// ---- the page computes what the program computes

for (const name of read('cases').trim().split('\n')) {
  const page = await open(name);
  await computed(page);
  const file = await saved(page, () => page.locator('#save-events').click());
  const mine = table(file.bytes.toString()),
    wanted = table(read(`${name}.events.csv`)),
    end = Number(/^end = (.*)$/m.exec(read(`${name}.summary`))[1]);
  check(mine.length === wanted.length, `${mine.length} events, the program has ${wanted.length}`);
  check(
    wanted.every((e, i) => e.kind === mine[i]?.kind && e.joint === mine[i].joint && e.mode === mine[i].mode),
    'the events are of other kinds',
  );
  const off = wanted.map((e, i) => Math.abs(e.time - mine[i]?.time) / end);
  check(
    off.every((x) => x <= SAME),
    `times of events differ by ${Math.max(...off)} of the run`,
  );
  // Forces as far as the program itself knows them.
  const apart = (events) => wanted.map((e, i) => (Number(e.peak_force) > 0 ? Math.abs(e.peak_force / events[i]?.peak_force - 1) : 0)),
    forces = apart(mine),
    again = readdirSync(folder).filter((f) => f.startsWith(`${name}.events-`)).map((f) => apart(table(read(f))));
  check(again.length === 3, 'the program did not list its events again');
  check(
    forces.every((x, i) => x <= Math.max(SAME, 10 * Math.max(...again.map((a) => a[i])))),
    `peak forces differ by ${Math.max(...forces)}`,
  );
  const summary = await page.evaluate(() => Object.fromEntries(window.lash.results[0].summary));
  // Every number of the summary of joints, as far as the program itself knows it. A maximum is flat: its instant, and which part of
  // it is damping, are known to half the digits.
  const program = numbers(read(`${name}.summary`)),
    others = readdirSync(folder).filter((f) => f.startsWith(`${name}.summary-`)).map((f) => numbers(read(f)));
  check(others.length === 3, 'the program did not run again');
  for (const [key, value] of program) {
    if (!key.includes('.')) continue;
    const [, peak, part] = /^(.*peak_)(time|elastic|damping|depth|penetration_time)$/.exec(key) || [],
      size = part?.endsWith('time') ? end : part && part !== 'depth' ? program.get(`${peak}force`) : Math.abs(value),
      open = Math.max(...others.map((o) => Math.abs(o.get(key) - value))),
      off = Math.abs(summary[key] - value);
    check(off <= Math.max((part ? FLAT : SAME) * size, 10 * open), `${key} is ${summary[key]}, the program says ${value}, and itself differs by ${open}`);
  }
  check((await page.locator('.view canvas').count()) === 1, 'the machine is not drawn');
  await finish(page);
}

// ---- what it costs

{
  const page = await open('plane');
  await computed(page);
  // Processor time, which other programs do not count in, of the Worker; in turns, so that a processor that changes its pace meets
  // both; and the middle one of many ratios. The first runs let the engine compile.
  const here = await solverInWorker(),
    [pages, programs, ratios] = [[], [], []];
  await here(20);
  for (let k = 0; k < ROUNDS; k++) {
    const [took, native] = [await here(2), nativeTime()];
    pages.push(took);
    programs.push(native);
    ratios.push(took / native);
  }
  const ratio = middle(ratios);
  console.log(`cost: ${(1000 * middle(pages)).toFixed(1)} ms by the page's solver, ${(1000 * middle(programs)).toFixed(1)} ms by the program, ratio ${ratio.toFixed(2)}, half of all between ${ratios[ROUNDS >> 2].toFixed(2)} and ${ratios[(3 * ROUNDS) >> 2].toFixed(2)}`);
  check(middle(pages) > 1e-3, `a run takes ${middle(pages)} s: its Worker was not found`);
  check(ratio <= MOST_COST, `the page's solver takes ${ratio} times the program's time`);

  // A drag shows a coarse picture before the fine run ends.
  const order = await page.evaluate(async () => {
    const slider = document.getElementById('parameter-play'),
      seen = [],
      {counts: c} = window.lash,
      before = {...c};
    slider.value = '700';
    slider.dispatchEvent(new Event('input'));
    for (let last = ''; c.fine === before.fine; await new Promise(requestAnimationFrame)) {
      const now = `${c.coarse - before.coarse}:${window.lash.coarse}`;
      if (now !== last) seen.push(now);
      last = now;
    }
    return seen;
  });
  check(order.includes('1:true'), `no coarse picture was seen before the fine one: ${order}`);
  check((await page.evaluate(() => window.lash.results.length)) === 2, 'the last result is not kept as a ghost');
  check(
    await page.evaluate(() => window.lash.figures.figures[0].plot.series.some((s) => s.dash?.length)),
    'the ghost is not dashed',
  );
  // Impacts flash; sound is made where it is asked for.
  await page.evaluate(() => {
    const {clock, views, player} = window.lash;
    player.show();
    clock.set(views[0].impacts[0].time + 1e-9);
  });
  await page.waitForFunction(() => document.querySelector('.flash:not([hidden])'), null, {timeout: 5000}).catch(() => check(false, 'an impact does not flash'));
  await page.evaluate(async () => {
    window.lash.clock.set(window.lash.clock.end);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  check((await page.locator('.flash:visible').count()) === 0, 'it flashes without an impact');
  await page.locator('#sound').check();
  await page.evaluate(() => window.lash.clock.set(0));
  await page.getByRole('button', {name: 'Play', exact: true}).click();
  await page.waitForFunction(() => window.lash.player.sound.played > 0, null, {timeout: 20000}).catch(() => {});
  check(await page.evaluate(() => window.lash.player.sound.played > 0), 'impacts are not heard');
  await page.getByRole('button', {name: 'Pause', exact: true}).click();
  // Files.
  const rows = await saved(page, () => page.locator('#save-rows').click());
  check(/^time \[s\],/.test(rows.bytes.toString()), 'the rows have no heading');
  const png = await saved(page, () => page.locator('#save-png').click());
  check(png.bytes.subarray(1, 4).toString() === 'PNG', 'the picture is no PNG');
  const figure = await saved(page, () => page.locator('.figure').first().getByRole('button', {name: 'SVG'}).click());
  check(/<path d="M[\d.]+ [\d.]+L/.test(figure.bytes.toString()), 'the figure has no curve');
  const chart = await saved(page, () => page.locator('.figure').first().getByRole('button', {name: 'PNG'}).click());
  check(chart.bytes.subarray(1, 4).toString() === 'PNG', 'the figure is no PNG');
  const drawing = await saved(page, () => page.locator('#save-svg').click());
  check(/<svg/.test(drawing.bytes.toString()), 'the drawing is no SVG');
  // The file looks as the drawing does, without the style sheet of the page.
  const looks = (root) =>
    root.evaluate((node) =>
      [...node.querySelectorAll('path, circle, text')].map((part) => {
        const style = getComputedStyle(part);
        return ['fill', 'fillOpacity', 'stroke', 'strokeWidth', 'strokeLinecap', ...(part.tagName === 'text' ? ['fontSize', 'fontWeight'] : [])]
          .map((name) => style[name])
          .join(' ');
      }),
    );
  const wanted = await looks(page.locator('svg.drawing')),
    alone = await page.context().newPage();
  await alone.goto(pathToFileURL(drawing.path).href);
  const got = await looks(alone.locator('svg'));
  check(wanted.length > 10 && wanted.every((look, i) => look === got[i]), `the drawing's file looks like ${got}, not ${wanted}`);
  await alone.close();
  await finish(page);
}

// ---- hundreds of drags

{
  const page = await open('small');
  await computed(page);
  const drag = (from, count) =>
    page.evaluate(
      async ([first, n]) => {
        const slider = document.getElementById('parameter-play'),
          {counts: c} = window.lash,
          before = c.coarse;
        for (let k = 0; k < n; k++) {
          slider.value = String((first + 37 * k) % 1000);
          slider.dispatchEvent(new Event('input'));
          await new Promise(requestAnimationFrame);
        }
        slider.dispatchEvent(new Event('change'));
        while (!document.getElementById('stop').hidden) await new Promise((resolve) => setTimeout(resolve, 5));
        gc();
        await new Promise((resolve) => setTimeout(resolve, 50));
        gc();
        return {
          pictures: c.coarse - before,
          heap: performance.memory.usedJSHeapSize,
          wasm: c.memory,
          nodes: document.getElementsByTagName('*').length,
          shapes: window.lash.views[0].renderer.info.memory.geometries,
        };
      },
      [from, count],
    );
  const early = await drag(0, DRAGS / 5),
    late = await drag(500, (4 * DRAGS) / 5);
  console.log(`${DRAGS} drags: heap ${(early.heap / 1e6).toFixed(1)} → ${(late.heap / 1e6).toFixed(1)} MB, solver ${late.wasm / 1e6} MB`);
  check(early.pictures + late.pictures > DRAGS / 25, `only ${early.pictures + late.pictures} pictures were seen while it was dragged`);
  check(late.heap < early.heap + 3e6, `the heap grew from ${early.heap} to ${late.heap} bytes`);
  check(late.wasm === early.wasm, `the solver's memory grew from ${early.wasm} to ${late.wasm} bytes`);
  check(Math.abs(late.nodes - early.nodes) < 200, `the page grew from ${early.nodes} to ${late.nodes} elements`);
  check(late.shapes === early.shapes, `the scene grew from ${early.shapes} to ${late.shapes} shapes`);

  // That a model has no parameters is said once it has been read, not before.
  const said = await page.evaluate(() => {
    const fresh = new window.lash.parameters.constructor(() => {}),
      before = !fresh.none.hidden;
    fresh.show([]);
    return {before, after: !fresh.none.hidden};
  });
  check(!said.before && said.after, `"no parameters" is said before a model is read: ${said.before}, after: ${said.after}`);

  // Broken models typed in, with nothing set by sliders: the messages stand at their places.
  await page.evaluate(() => window.lash.parameters.reset.click());
  await computed(page);
  const utf8 = new TextDecoder('utf-8', {fatal: true});
  let typed = 0;
  for (const file of readdirSync(broken).filter((f) => f.endsWith('.yaml'))) {
    let text;
    try {
      text = utf8.decode(readFileSync(join(broken, file)));
    } catch {
      continue; // bytes that no text area holds
    }
    if (/^# set:/m.test(text) || /[\0\r\ufeff]/.test(text)) continue;
    const wanted = [...text.matchAll(/^# expect: (\d+:\d+): /gm)].map((m) => m[1]);
    const shown = await page.evaluate(async (t) => {
      const {editor, counts: c} = window.lash;
      editor.area.value = t;
      editor.area.dispatchEvent(new Event('input'));
      while (c.checked !== c.asked) await new Promise((resolve) => setTimeout(resolve, 1));
      return [...editor.messages.querySelectorAll('li.wrong button')].map((b) => b.textContent);
    }, text);
    typed++;
    check(shown.join() === wanted.join(), `${file}: messages at ${shown}, wanted at ${wanted}`);
  }
  check(typed >= LEAST_BROKEN, `only ${typed} broken models were typed in`);
  // And the page lives.
  const {fine} = await counts(page);
  await page.evaluate((t) => {
    window.lash.editor.area.value = t;
    window.lash.editor.area.dispatchEvent(new Event('input'));
  }, read('small.yaml'));
  await computed(page, fine);
  check((await page.locator('.messages .wrong').count()) === 0, 'a good model keeps its messages');

  // Completion, by the keyboard.
  const area = page.locator('textarea');
  await area.focus();
  await page.evaluate(() => {
    const {area: a} = window.lash.editor,
      at = a.value.indexOf('restitution: 0.5') + 'restitution: 0.5'.length;
    a.setSelectionRange(at, at);
  });
  await page.keyboard.type(', da');
  const offered = await page.locator('.offers [role=option] b').allTextContents();
  check(offered[0] === 'damping', `after "da" in a contact block the page offers ${offered.slice(0, 5)}`);
  await page.keyboard.press('Tab');
  check((await area.inputValue()).includes('restitution: 0.5, damping: }'), 'Tab does not take the offer');
  await page.keyboard.press('Control+Space');
  check((await page.locator('.offers [role=option]').count()) > 0, 'Ctrl+Space offers nothing');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  check(await page.evaluate(() => document.activeElement.tagName !== 'TEXTAREA'), 'Tab does not leave the text');
  await finish(page);
}

// ---- what is typed beside a slider

{
  const page = await open('small'),
    type = async (text) => {
      await page.locator('#parameter-play-text').fill(text);
      await page.locator('#parameter-play-text').press('Enter');
      await page.waitForFunction(() => window.lash.counts.checked === window.lash.counts.asked);
    },
    place = async () => Number(await page.locator('#parameter-play').inputValue()) / 1000;
  await computed(page);
  await type('0.3');
  check((await settings(page)).play === '0.3 mm', `a number alone is taken as ${(await settings(page)).play}`);
  const there = await place();
  await type('0.1 mm');
  await type('300 um');
  check((await place()) === there && there > 0.2, `the slider of 300 um is at ${await place()}, that of 0.3 mm at ${there}`);
  const ends = (at) => at.locator('.parameter .ends').allTextContents();
  await page.locator('#copy-link').click();
  const other = await open('small', {hash: await page.evaluate(() => location.hash)});
  await computed(other);
  check((await ends(other)).join() === (await ends(page)).join(), `opened at 300 um the slider goes from ${await ends(other)}`);
  await finish(other);
  const written = await page.evaluate(() => [2.5e9, 123456].map(window.lash.parameters.rows.get('play').write).join());
  check(written === '2.5e9 mm,123500 mm', `a slider writes ${written}`);
  // What is wrong is said where the reader is; so is how much was computed.
  const said = (words) =>
    page.waitForFunction((w) => document.querySelector('.state').textContent.includes(w), words, {timeout: 20000}).catch(async () => {
      check(false, `the page says ${await page.locator('.state').textContent()}, not ${words}`);
    });
  await type('wide');
  await said("unknown name 'wide'");
  await type('0.3 mm');
  await said(' steps, 3 events.');
  await page.locator('textarea').fill(read('small.yaml').replace('mass: 1', 'mas: 1'));
  await said("'mas' is not a key of a body");
  await page.locator('textarea').fill(read('small.yaml').replace('until: 20 ms', 'until: 1 us'));
  await said(': 1 step, 0 events.');
  // The drawing has room for its names, and two columns of the summary for their numbers.
  const {fine} = await counts(page);
  await type('0.2 mm');
  await computed(page, fine);
  const [drawn, rows] = await page.evaluate(() => [
    document.querySelector('svg.drawing').getBoundingClientRect().width,
    [...document.querySelectorAll('table.summary tbody tr')].map((row) => row.getBoundingClientRect().height),
  ]);
  check(drawn > 600, `the drawing is ${drawn} px wide`);
  check((await page.locator('table.summary thead th').allTextContents()).join() === 'now,before', 'the summary does not compare');
  check(rows.length > 10 && Math.max(...rows) < 45, `a row of the summary is ${Math.max(...rows)} px high`);
  await finish(page);
}

// ---- a run that takes minutes

{
  const page = await open('long');
  await page.waitForFunction(() => document.querySelector('progress').value > 0 && !document.querySelector('progress').hidden, null, {timeout: 30000});
  const late = await page.evaluate(async () => {
    const times = [];
    for (let k = 0; k < 60; k++) {
      const asked = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'x', bubbles: true}));
      await new Promise((resolve) => setTimeout(resolve));
      times.push(performance.now() - asked);
    }
    return times.sort((a, b) => a - b);
  });
  console.log(`latency during a run: ${late[30].toFixed(1)} ms, at most ${late[59].toFixed(1)} ms`);
  check(late[30] < LATENCY, `an input waits ${late[30]} ms`);
  const before = await page.evaluate(() => document.querySelector('progress').value);
  await page.waitForFunction((b) => document.querySelector('progress').value > b, before, {timeout: 20000});
  await page.locator('#stop').click();
  await page.waitForFunction(() => document.querySelector('.state').textContent === 'Stopped.', null, {timeout: 5000});
  check(await page.locator('#stop').isHidden(), 'Stop is still offered');
  await set(page, {'run.until': '0.1 rev of motor'});
  await computed(page);
  check((await page.locator('.view canvas').count()) === 1, 'after Stop nothing can be computed');
  await finish(page);
}

// ---- what is given away

{
  const page = await open('study');
  await computed(page);
  await set(page, {play: '0.3 mm', gudgeon: 'clearance', crankpin: 'clearance'});
  await computed(page, 1);
  await page.locator('#copy-link').click();
  await page.waitForFunction(() => location.hash.startsWith('#lash='));
  const hash = await page.evaluate(() => location.hash),
    here = await settings(page);
  const other = await open('study', {hash});
  await computed(other);
  check(JSON.stringify(await settings(other)) === JSON.stringify(here), 'the address does not carry the settings');
  check((await other.locator('#parameter-play-text').inputValue()) === '0.3 mm', 'the slider is not where the address says');
  await finish(other);
  const damaged = await open('study', {hash: '#lash=AAAA'});
  await computed(damaged);
  await finish(damaged);
  const file = await saved(page, () => page.locator('#save-page').click());
  writeFileSync(join(folder, 'again.html'), file.bytes);
  const again = await open('again');
  await computed(again);
  check(JSON.stringify(await settings(again)) === JSON.stringify(here), 'the saved page has other settings');
  check((await again.locator('textarea').inputValue()) === (await page.locator('textarea').inputValue()), 'the saved page has another text');
  await finish(again);

  // A sweep grows, and a click opens a machine.
  await page.locator('#sweep-parameter').selectOption('play');
  await page.locator('#sweep-count').fill('6');
  await page.locator('#sweep-turns').fill('4');
  await page.locator('#sweep').click();
  await page.waitForFunction(() => /^6 of 6 points/.test(document.querySelector('#study .note').textContent), null, {timeout: 60000});
  check((await page.evaluate(() => window.lash.study.points.length)) >= 12, 'the diagram has too few points');
  const over = page.locator('#study .u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + 0.97 * box.width, box.y + 0.5 * box.height);
  await page.mouse.click(box.x + 0.98 * box.width, box.y + 0.5 * box.height);
  check((await settings(page)).play === '0.5 mm', `a click at the end opened play = ${(await settings(page)).play}`);
  await page.locator('#poincare').click();
  await page.waitForFunction(() => / passages/.test(document.querySelector('#study .note').textContent), null, {timeout: 60000});
  // Where every turn is like the one before, the section is a point, not a picture of rounding.
  const {spans, apart} = await page.evaluate(async () => {
    const {chart} = window.lash.study;
    window.lash.study.draw({name: 'x', unit: 'm', measured: true}, {name: 'y', unit: 'm'}, [
      [1, -1],
      [1 + 1e-9, -1 - 1e-9],
    ]);
    await new Promise(requestAnimationFrame);
    const u = chart.plot,
      [first, second] = u.axes[0]._splits.map((x) => u.valToPos(x, 'x'));
    return {spans: ['x', 'y'].map((scale) => u.scales[scale].max - u.scales[scale].min), apart: second - first};
  });
  check(apart > 80, `its labels are ${apart} px apart`);
  check(spans.every((s) => s >= 1e-4 && s < 1e-2), `the axes of a periodic motion are ${spans} wide`);
  await finish(page);
}
{
  const page = await open('hostile');
  await computed(page);
  const text = await page.locator('textarea').inputValue();
  check(text === read('hostile.yaml'), 'the text is not shown as it is');
  check((await page.locator('h1').textContent()).includes('<img src=x'), 'the title is not shown as it is');
  const file = await saved(page, () => page.locator('#save-page').click());
  writeFileSync(join(folder, 'hostile-again.html'), file.bytes);
  check((await page.evaluate(() => window.owned)) === undefined, 'a script from the model has run');
  await finish(page);
  const again = await open('hostile-again');
  await computed(again);
  check((await again.locator('textarea').inputValue()) === text, 'the saved page has another text');
  check((await again.evaluate(() => window.owned)) === undefined, 'a script from the model has run in the saved page');
  await finish(again);
}

// ---- for all eyes and hands

for (const [width, scheme] of [
  [380, 'dark'],
  [760, 'light'],
]) {
  const page = await open('gallery', {width, scheme, motion: 'reduce'});
  await computed(page);
  await checkNarrowPage(page, width);
  const unnamed = await nameless(page);
  check(unnamed.length === 0, `without a name: ${unnamed}`);
  check((await page.evaluate(() => window.lash.views[0].impacts.length)) === 0, 'it flashes although little is to move');
  // Words and their ground: a contrast of 4.5 to 1 at least.
  const faint = await page.evaluate(() => {
    const light = (c) =>
        c
          .map((x) => x / 255)
          .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
          .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0),
      rgba = (text) => text.match(/[\d.]+/g).map(Number),
      ground = (n) => {
        for (; n; n = n.parentElement) {
          const c = rgba(getComputedStyle(n).backgroundColor);
          if (c.length === 3 || c[3] > 0.9) return c.slice(0, 3);
        }
        return [255, 255, 255];
      };
    return [...document.querySelectorAll('#page *')]
      .filter((n) => n.offsetParent && [...n.childNodes].some((c) => c.nodeType === 3 && c.data.trim()) && !n.closest('svg, .marks, .u-legend, option'))
      .map((n) => {
        const [a, b] = [light(rgba(getComputedStyle(n).color).slice(0, 3)), light(ground(n))];
        return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${n.tagName}.${n.className} "${n.textContent.slice(0, 30)}"`];
      })
      .filter(([contrast]) => contrast < 4.5)
      .map(([contrast, what]) => `${what} ${contrast.toFixed(1)}`);
  });
  check(faint.length === 0, `too faint: ${faint.slice(0, 6)}`);
  // By Tab alone through the whole page and out of it: nothing holds the keyboard, nothing is changed, and where it is can be seen.
  const text = await page.locator('textarea').inputValue(),
    walked = [];
  await page.evaluate(() => document.activeElement.blur());
  for (let k = 0; k < 400 && walked.at(-1) !== 'BODY'; k++) {
    await page.keyboard.press('Tab');
    walked.push(
      await page.evaluate(() => {
        const e = document.activeElement,
          ring = (n) => n && getComputedStyle(n).outlineStyle !== 'none';
        return e === document.body ? 'BODY' : `${e.tagName} ${e.id || e.textContent.slice(0, 20)}${ring(e) || ring(e.closest('.frame')) ? '' : ' unseen'}`;
      }),
    );
  }
  check(walked.at(-1) === 'BODY' && walked.length > 40, `Tab ends after ${walked.length} at ${walked.at(-1)}`);
  check((await page.locator('textarea').inputValue()) === text, 'Tab changes the model');
  const unseen = walked.filter((w) => w.endsWith('unseen'));
  check(unseen.length === 0, `the focus cannot be seen at ${unseen.slice(0, 5)}`);
  if (width === 380) {
    const cards = page.locator('.card');
    check((await cards.count()) >= 15, `the gallery has ${await cards.count()} examples`);
    check(
      (await cards.locator('span').allTextContents()).every((t) => t.length > 20),
      'an example has no sentence',
    );
    const {fine} = await counts(page);
    await cards.filter({hasText: 'Pendulum between stops'}).click();
    await computed(page, fine);
    check((await page.locator('h1').textContent()) === 'Pendulum between stops', 'a card does not open its example');
    check(close(await page.evaluate(() => window.lash.clock.end), 2, 1e-9), 'another machine is shown');
  }
  await finish(page);
}

await done();
