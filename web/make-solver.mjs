// SPDX-License-Identifier: MIT
//
// Puts the solver of live pages into a piece of HTML, which `lash live` fills into the page:
//   node make-solver.mjs SOLVER.js SOLVER.wasm OUTPUT       in the folder with the packages
// It holds the Worker's script as text that the browser does not run, and the compressed WebAssembly in base64.
import {buildSync} from 'esbuild';
import {readFileSync, writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';

const [glue, wasm, output] = process.argv.slice(2);
const worker = buildSync({
  entryPoints: ['src/worker.js'],
  bundle: true,
  format: 'iife',
  minify: true,
  target: 'es2020',
  write: false,
}).outputFiles[0].text;
const script = `${readFileSync(glue, 'utf8')}\n${worker}`;
if (/<\/script|<!--/i.test(script)) throw new Error('text that ends its element');
writeFileSync(
  output,
  `<script type="text/plain" id="lash-solver">${script}</script>\n` +
    `<script type="text/plain" id="lash-wasm">${gzipSync(readFileSync(wasm), {level: 9}).toString('base64')}</script>\n`,
);
