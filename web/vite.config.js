// SPDX-License-Identifier: MIT
//
// Bundles src/ and puts everything into one file, page.html, in which the program fills in marks: the title, the data
// and, for `lash live`, the solver (make-solver.mjs) and its permissions. The page may load nothing and run nothing but
// its own script, which is named by its hash.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {defineConfig} from 'vite';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function notices() {
  return ['three', 'uplot']
    .map((name) => {
      const {version} = JSON.parse(read(`./node_modules/${name}/package.json`));
      return `${name} ${version}\n\n${read(`./node_modules/${name}/LICENSE`).trim()}`;
    })
    .join('\n\n');
}

const onePage = {
  name: 'one-page',
  enforce: 'post', // the style sheet exists only then
  generateBundle(_, bundle) {
    let script = '',
      style = '';
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type === 'chunk') script += file.code;
      else if (name.endsWith('.css')) style += file.source;
      delete bundle[name];
    }
    // Inside an element, these would end it or change how it is read.
    script = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
    if (/<\/style|<!--/i.test(style) || /<\/script|<!--/i.test(script)) this.error('text that ends its element');
    if (!script || !style) this.error('the script or the style sheet is missing');
    const parts = {
      '@NOTICES@': notices().replaceAll('--', '- -'),
      '@POLICY@':
        `default-src 'none'; script-src ${hash(script)}@ALLOWED@; style-src ${hash(style)}; img-src data: blob:; ` +
        `base-uri 'none'; form-action 'none'`,
      '@STYLE@': style,
      '@SCRIPT@': script,
    };
    const source = read('./template.html').replace(/@[A-Z]+@/g, (mark) => parts[mark] ?? mark);
    this.emitFile({type: 'asset', fileName: 'page.html', source});
  },
};

export default defineConfig({
  build: {
    target: 'es2020',
    outDir: process.env.LASH_PAGE_DIR || 'dist',
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {input: 'src/main.js', output: {inlineDynamicImports: true}},
  },
  plugins: [onePage],
  logLevel: 'warn',
});
