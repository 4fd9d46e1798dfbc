// SPDX-License-Identifier: MIT
//
// What tests of pages share: Chromium, pages whose errors are collected, and checks that are counted.
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

export const [web, folder, ...rest] = process.argv.slice(2);
const {chromium} = createRequire(join(web, 'package.json'))('playwright-core');
let checks = 0,
  failures = 0,
  current = '';

export function check(fine, message) {
  checks++;
  if (fine) return;
  failures++;
  console.log(`FAILED ${current}: ${message}`);
}
export const close = (a, b, tolerance) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
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
    '--js-flags=--expose-gc',
  ],
});

/** Opens a page; what it says in the console and what it asks the network for is kept. */
export async function open(name, {width = 1200, scheme = 'light', motion = 'no-preference', hash = ''} = {}) {
  current = name;
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme: scheme, reducedMotion: motion});
  const page = await context.newPage();
  page.trouble = [];
  page.asked = [];
  page.on('console', (m) => m.type() === 'error' && page.trouble.push(m.text()));
  page.on('pageerror', (e) => page.trouble.push(e.message));
  page.on('request', (r) => !/^(file|data|blob):/.test(r.url()) && page.asked.push(r.url()));
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href + hash);
  await page.waitForFunction(() => window.lash, null, {timeout: 30000});
  return page;
}
export async function finish(page) {
  check(page.trouble.length === 0, `the console shows ${JSON.stringify(page.trouble)}`);
  check(page.asked.length === 0, `the page asked for ${JSON.stringify(page.asked)}`);
  await page.context().close();
}

/** Nothing sticks out of a narrow page, and no letters are too small. */
export async function checkNarrowPage(page, width) {
  const wide = await page.evaluate(
    (w) =>
      [...document.querySelectorAll('body *')]
        .filter((n) => n.getBoundingClientRect().right > w + 1 && !n.closest('.scroll, pre, .labels, svg, .u-wrap, .frame'))
        .map((n) => `${n.tagName}.${n.className}`),
    width,
  );
  const whole = await page.evaluate(() => document.documentElement.scrollWidth);
  check(whole <= width, `at ${width} px the page is ${whole} px wide`);
  check(wide.length === 0, `sticks out at ${width} px: ${wide.slice(0, 5)}`);
  const small = await page.evaluate(
    () =>
      [...document.querySelectorAll('p, td, th, h1, h2, label, button')].filter(
        (n) => n.offsetParent && parseFloat(getComputedStyle(n).fontSize) < 12,
      ).length,
  );
  check(small === 0, `${small} elements have letters below 12 px`);
}

/** Controls that a screen reader could not name. */
export const nameless = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, textarea')]
      .filter(
        (n) =>
          n.offsetParent &&
          n.tabIndex >= 0 &&
          !(n.textContent.trim() || n.ariaLabel || n.labels?.[0]?.textContent.trim() || n.title),
      )
      .map((n) => n.outerHTML.slice(0, 200)),
  );

export async function done() {
  await browser.close();
  console.log(`${checks} checks, ${failures} failed`);
  process.exit(failures || !checks ? 1 : 0);
}
