// SPDX-License-Identifier: MIT
//
// Pictures of the pages in a folder and an index of them: node make-gallery.mjs WEB GALLERY IMAGES
import {readdirSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {deflateRawSync} from 'node:zlib';

const [web, gallery, images] = process.argv.slice(2).map((p) => resolve(p));
const {chromium} = createRequire(join(web, 'package.json'))('playwright-core');
const MOMENT = 0.23; // of the run, at which the machine is shown
const PAGE = 'flores-2010'; // the page that README shows

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});

async function open(name, settings) {
  const page = await browser.newPage({viewport: {width: 1240, height: 1000}, bypassCSP: true, ...settings}); // a style is added
  await page.goto(pathToFileURL(join(gallery, `${name}.html`)).href);
  await page.waitForFunction(() => window.lash);
  await page.evaluate((share) => {
    const {clock} = window.lash;
    clock.set(clock.start + share * (clock.end - clock.start));
  }, MOMENT);
  await page.waitForTimeout(300);
  return page;
}

/** The live page with one of its examples (web/src/share.js). */
const live = (name) =>
  `live.html#lash=${deflateRawSync(JSON.stringify({name: `${name}.yaml`, settings: {}})).toString('base64url')}`;
const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
const cards = [];
for (const file of readdirSync(gallery)
  .filter((f) => f.endsWith('.html') && f !== 'live.html')
  .sort()) {
  const name = file.replace(/\.html$/, ''),
    page = await open(name);
  await page.addStyleTag({content: '.view { border: none !important; }'});
  await page.locator('.views').screenshot({path: join(gallery, `${name}.png`)});
  const title = await page.locator('h1').textContent();
  cards.push(
    `<article><a href="${escaped(file)}"><img src="${escaped(name)}.png" alt=""><strong>${escaped(title)}</strong></a>` +
      `<p>${escaped(name)}${name === 'two-results' ? '' : ` · <a href="${escaped(live(name))}">live</a>`}</p></article>`,
  );
  if (name === PAGE)
    await page.screenshot({path: join(images, 'report.png'), clip: {x: 0, y: 0, width: 1240, height: 1000}});
  await page.close();
}
const dark = await open(PAGE, {colorScheme: 'dark'});
await dark.locator('#motion').screenshot({path: join(images, 'report-motion.png')});
await browser.close();

writeFileSync(
  join(gallery, 'index.html'),
  `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Lash: the examples</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 0 auto; padding: 24px 16px; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 20px; }
article { border: 1px solid #8884; border-radius: 10px; overflow: hidden; }
article > a { color: inherit; text-decoration: none; display: flex; flex-direction: column; }
article:hover, article:focus-within { border-color: #0b63b0; }
img { width: 100%; aspect-ratio: 8 / 5; object-fit: contain; background: #fff; }
strong { padding: 10px 14px 0; } article p { margin: 0 14px 10px; font-size: 14px; }
</style></head><body><h1>Lash: the examples</h1>
<p><a href="live.html">All of them live</a>: change the play and watch the machine answer.</p><main>
${cards.join('\n')}
</main></body></html>
`,
);
