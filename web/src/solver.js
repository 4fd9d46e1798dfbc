// SPDX-License-Identifier: MIT
//
// The page's side of the solver: Workers, and requests to them as promises.

/** Bytes from base64 that were compressed with gzip. */
async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

export class Solver {
  /** What `lash live` has put into the page. */
  static async load(files) {
    const code = document.getElementById('lash-solver')?.textContent,
      packed = document.getElementById('lash-wasm')?.textContent;
    if (!code || !packed) throw new Error('This page has no solver in it.');
    const module = await WebAssembly.compile(await unpack(packed));
    return new Solver(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})), module, files);
  }
  constructor(url, module, files) {
    this.url = url;
    this.module = module;
    this.files = files;
  }
  hand() {
    return new Hand(this);
  }
}

/** One Worker. */
export class Hand {
  constructor(solver) {
    this.solver = solver;
    this.next = 0;
    this.begin();
  }
  begin() {
    this.open = new Map(); // requests without a last answer
    this.worker = new Worker(this.solver.url);
    this.worker.onmessage = ({data}) => {
      const wish = this.open.get(data.id);
      if (!wish) return;
      if ('share' in data || 'coarse' in data) return wish.meanwhile?.(data);
      this.open.delete(data.id);
      wish.resolve(data);
    };
    this.worker.onerror = (event) => this.fail(event.message || 'the solver broke down');
    this.worker.postMessage({kind: 'start', module: this.solver.module, files: this.solver.files});
  }
  /** Asks for something; `meanwhile` gets what comes before the last answer. */
  ask(wish, meanwhile) {
    const id = ++this.next;
    return new Promise((resolve) => {
      this.open.set(id, {resolve, meanwhile});
      this.worker.postMessage({...wish, id});
    });
  }
  fail(message) {
    const open = [...this.open.values()];
    this.end();
    this.begin();
    for (const wish of open) wish.resolve({mistakes: [{line: 0, column: 0, message}], fine: false, message, points: []});
  }
  /** Ends all work at once, and is ready again. */
  stop() {
    const open = [...this.open.values()];
    this.end();
    this.begin();
    for (const wish of open) wish.resolve({stopped: true, points: []});
  }
  setFiles(files) {
    this.worker.postMessage({kind: 'files', files});
  }
  end() {
    this.worker.terminate();
  }
}
