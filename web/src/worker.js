// SPDX-License-Identifier: MIT
//
// The Worker of a live page: the solver (src/live/live.c, compiled to WebAssembly) and a queue of requests.
//
// In: {kind: 'start', module, files}, then requests {id, kind, …}. Out: {id, …} with what came out; a run
// answers several times: {id, coarse}, {id, share} while it goes on, and at last {id, result} or {id,
// mistakes} or {id, dropped: true} when a newer run replaced it. A run is computed in slices; between them the
// newest request is checked. A first, coarse picture is not given up for a newer one, so that something is shown
// while a slider moves.
/* global makeSolver */
import {decodeResult} from './data.js';

const SLICE = 0.03; // s
const LONGEST_COARSE = 0.5; // s, before it gives way
// A first picture: rough and fast; its energy balance is not checked.
const coarsened = (settings) =>
  `${settings.replace(/^run\.(rtol|atol|balance)=.*\n/gm, '')}run.rtol=1e-3\nrun.balance=1\n`;

let solver = null;
const wishes = [];
let running = false;

const text = 'string',
  number = 'number';

async function start({module, files}) {
  const instance = await makeSolver({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((made) => done(made, module));
      return {};
    },
    print() {},
    printErr() {},
  });
  const call = (name, result, ...types) => instance.cwrap(`lash_live_${name}`, result, types);
  solver = {
    instance,
    check: call('check', text, text, text, text),
    schema: call('schema', text),
    begin: call('begin', text, text, text, text, number, text, text, number, number),
    advance: call('advance', number, number),
    share: call('share', number),
    result: call('result', text, text),
    points: call('points', text),
    csv: call('csv', text, number),
    clear: call('clear', null),
  };
  setFiles(files);
}

function setFiles(files) {
  for (const {name, text: content} of files || []) {
    const folders = name.split('/').slice(0, -1);
    folders.reduce((path, folder) => {
      const next = `${path}/${folder}`;
      if (!solver.instance.FS.analyzePath(next).exists) solver.instance.FS.mkdir(next);
      return next;
    }, '');
    solver.instance.FS.writeFile(`/${name}`, content);
  }
}

/** Lets messages come in. */
const pause = () =>
  new Promise((resolve) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });

const buffersOf = (raw) =>
  [raw.plot, raw.frames]
    .filter(Boolean)
    .flatMap((t) => [t.time.buffer, t.data.buffer])
    .concat(Object.values(raw.events).filter(ArrayBuffer.isView).map((a) => a.buffer));

function give(id, key, share) {
  const answer = solver.result(share.name);
  if (answer === null) return postMessage({id, mistakes: [{message: 'memory is out', line: 0}]});
  const raw = decodeResult(JSON.parse(answer));
  postMessage({id, [key]: raw, seconds: share.seconds, memory: solver.instance.HEAP8.length}, buffersOf(raw));
}

const newer = () => wishes.some((w) => w.kind === 'run');

/** Computes to the end; false: a newer request replaced it. */
async function compute(id, longest) {
  const begun = performance.now();
  let said = begun;
  while (solver.advance(SLICE)) {
    const now = performance.now();
    if (now - said > 100) {
      postMessage({id, share: solver.share(), seconds: (now - begun) / 1000});
      said = now;
    }
    await pause();
    if (newer() && now - begun > 1000 * longest) return false;
  }
  return true;
}

async function run({id, model, name, settings, coarse}) {
  for (const rough of coarse ? [1, 0] : [0]) {
    const begun = performance.now(),
      {fine, mistakes} = JSON.parse(solver.begin(model, name, rough ? coarsened(settings) : settings, rough, '', '', 0, 0));
    if (!fine) return postMessage({id, mistakes});
    if (!(await compute(id, rough ? LONGEST_COARSE : 0))) return postMessage({id, dropped: true});
    give(id, rough ? 'coarse' : 'result', {name, seconds: (performance.now() - begun) / 1000});
    await pause();
    if (newer()) return postMessage({id, dropped: true});
  }
}

async function section({id, model, name, settings, drive, channels, phase, from}) {
  const {fine, mistakes} = JSON.parse(solver.begin(model, name, settings, 0, drive, channels, phase, from));
  if (!fine) return postMessage({id, points: [], width: 1, fine, message: mistakes[0]?.message ?? ''});
  await compute(id, Infinity);
  postMessage({id, ...JSON.parse(solver.points())});
  solver.clear();
}

async function work() {
  if (running || !solver) return;
  running = true;
  while (wishes.length) {
    // What can be answered at once goes first; of runs only the newest counts.
    let k = wishes.findIndex((w) => w.kind !== 'run');
    if (k < 0) {
      while (wishes.length > 1) postMessage({id: wishes.shift().id, dropped: true});
      k = 0;
    }
    const [wish] = wishes.splice(k, 1);
    if (wish.kind === 'run') await run(wish);
    else if (wish.kind === 'section') await section(wish);
    else if (wish.kind === 'check')
      postMessage({id: wish.id, ...JSON.parse(solver.check(wish.model, wish.name, wish.settings))});
    else if (wish.kind === 'schema') postMessage({id: wish.id, schema: JSON.parse(solver.schema())});
    else if (wish.kind === 'csv') postMessage({id: wish.id, csv: solver.csv(wish.events ? 1 : 0)});
    else if (wish.kind === 'files') setFiles(wish.files);
  }
  running = false;
}

onmessage = async ({data}) => {
  if (data.kind === 'start') await start(data);
  else wishes.push(data);
  work();
};
