// SPDX-License-Identifier: MIT
//
// The pictures of docs/live.md: node tools/make-live-pictures.mjs WEB LIVE.html IMAGES, with the live page of flores-2010.
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [web, file, images] = process.argv.slice(2).map((p) => resolve(p));
const {chromium} = createRequire(join(web, 'package.json'))('playwright-core');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const computed = (page, from) =>
  page.waitForFunction((n) => window.lash?.counts?.fine > n && document.getElementById('stop').hidden, from, {timeout: 120000});

/** The page after its slider of play was moved once, at a moment with a force. */
async function open(width, height, colorScheme) {
  const page = await browser.newPage({viewport: {width, height}, colorScheme});
  await page.goto(pathToFileURL(file).href);
  await computed(page, 0);
  await page.evaluate(() => window.lash.parameters.set({...Object.fromEntries(window.lash.parameters.settings), play: '0.2 mm'}));
  await computed(page, 1);
  await page.evaluate(() => {
    const {clock} = window.lash;
    clock.set(clock.start + 0.37 * (clock.end - clock.start));
  });
  await page.waitForTimeout(300);
  return page;
}
for (const [name, width, height, scheme] of [
  ['live-wide', 1400, 1150, 'light'],
  ['live-middle', 760, 1400, 'light'],
  ['live-narrow', 380, 1500, 'dark'],
]) {
  const page = await open(width, height, scheme);
  await page.screenshot({path: join(images, `${name}.png`)});
  await page.close();
}
// The film strip: orbits as the slider moves, put side by side on an empty page.
const page = await open(1400, 1000, 'light'),
  frames = [];
for (const play of ['0.05 mm', '0.1 mm', '0.2 mm', '0.5 mm']) {
  const {fine} = await page.evaluate(() => window.lash.counts);
  await page.evaluate((p) => window.lash.parameters.set({...Object.fromEntries(window.lash.parameters.settings), play: p}), play);
  await computed(page, fine);
  frames.push([play, (await page.locator('.orbit canvas').first().screenshot()).toString('base64')]);
}
const strip = await browser.newPage({viewport: {width: 900, height: 260}});
await strip.setContent(
  `<body style="margin:0;display:flex;gap:12px;padding:8px;font:14px sans-serif;text-align:center">${frames
    .map(([play, data]) => `<div><img width="208" src="data:image/png;base64,${data}"><br>${play}</div>`)
    .join('')}</body>`,
);
await strip.screenshot({path: join(images, 'live-strip.png')});
await browser.close();
