// SPDX-License-Identifier: MIT
//
// Looks at pages of `lash report` in Chromium: node report.mjs WEB FOLDER (report.sh makes what it looks at).
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {check, checkNarrowPage, close, done, finish, folder, nameless, open} from './browser.mjs';

const FLOAT = 2 ** -23; // the page keeps values as 32-bit numbers
const MOST_BYTES = 10e6;

function readCsv(name) {
  const [head, ...lines] = readFileSync(join(folder, `${name}.csv`), 'utf8')
    .trim()
    .split('\n')
    .map((l) => l.split(','));
  const names = head.map((h) => h.replace(/ \[.*\]$/, ''));
  return {get: (channel) => lines.map((l) => Number(l[names.indexOf(channel)]))};
}

const goTo = (page, time) => page.evaluate((t) => window.lash.clock.set(t), time);
const picture = async (page) => (await page.locator('.view canvas').first().screenshot()).toString('base64');
const cursorTime = (page, figure = 0) =>
  page.evaluate((f) => {
    const u = window.lash.figures.figures[f].plot;
    return u.posToVal(u.cursor.left, 'x');
  }, figure);

// ---- what a page of a result must do

async function checkMotion(page, name, bodies, spatial) {
  const rows = readCsv(name),
    times = rows.get('time');
  const frames = await page.evaluate(() => Array.from(window.lash.results[0].frames.time));
  check(frames.length > 20, `only ${frames.length} frames`);
  for (const share of [0, 0.31, 0.77, 1]) {
    const t = frames[Math.floor(share * (frames.length - 1))],
      row = times.indexOf(t);
    check(row >= 0, `the frame at ${t} is no recorded row`);
    await goTo(page, t);
    for (const body of bodies) {
      const pose = await page.evaluate((b) => {
        const v = window.lash.views[0];
        return v.now.poses[v.machine.bodies.findIndex((x) => x.name === b)];
      }, body);
      const wanted = ['x', 'y', 'z'].map((q) => (q === 'z' && !spatial ? 0 : rows.get(`${body}.${q}`)[row]));
      check(
        pose.p.every((x, i) => close(x, wanted[i], FLOAT)),
        `${body} is at ${pose.p}, the channels say ${wanted}`,
      );
      if (spatial) {
        const e = [0, 1, 2, 3].map((i) => rows.get(`${body}.e${i}`)[row]);
        check(
          pose.e.every((x, i) => close(x, e[i], FLOAT)),
          `${body} is turned by ${pose.e}, the channels say ${e}`,
        );
      } else {
        const angle = rows.get(`${body}.angle`)[row];
        check(close(pose.angle, angle, FLOAT), `${body} is at the angle ${pose.angle}, the channel says ${angle}`);
      }
    }
  }
  await goTo(page, frames[0]);
  const first = await picture(page);
  await goTo(page, frames[Math.floor(frames.length / 2)]);
  check((await picture(page)) !== first, 'the picture is the same at another time');
}

async function checkPlaying(page) {
  await goTo(page, 0);
  const before = await picture(page),
    button = page.getByRole('button', {name: 'Play', exact: true});
  await button.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.lash.clock.time > window.lash.clock.start, null, {timeout: 20000});
  await page.waitForTimeout(400);
  await page.getByRole('button', {name: 'Pause', exact: true}).click();
  const time = await page.evaluate(() => window.lash.clock.time);
  check(time > 0, 'the clock does not run');
  check((await picture(page)) !== before, 'the picture does not move while it plays');
  await page.waitForTimeout(200);
  check((await page.evaluate(() => window.lash.clock.time)) === time, 'the clock runs on after Pause');
}

async function checkLinks(page) {
  const span = await page.evaluate(() => window.lash.clock.end - window.lash.clock.start);
  // The slider, by the keyboard, moves the cursors of all figures.
  await page.locator('#time').focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 3; i++) await page.keyboard.press('PageUp');
  const time = await page.evaluate(() => window.lash.clock.time);
  check(close(time / span, 0.3, 0.02), `after three pages the slider is at ${time / span}`);
  const figures = await page.evaluate(() => window.lash.figures.figures.length);
  check(figures >= 2, `only ${figures} figures`);
  for (let f = 0; f < figures; f++)
    check(
      Math.abs((await cursorTime(page, f)) - time) < 0.003 * span,
      `the cursor of figure ${f} is elsewhere than the slider`,
    );
  // A pointer over a figure moves the machine, the slider and the other figures.
  const before = await picture(page),
    over = page.locator('.figure .u-over').first();
  await over.scrollIntoViewIfNeeded();
  let box = await over.boundingBox();
  await page.mouse.move(box.x + 0.62 * box.width, box.y + 60);
  await page.mouse.move(box.x + 0.64 * box.width, box.y + 60);
  const hovered = await page.evaluate(() => window.lash.clock.time);
  check(close(hovered / span, 0.64, 0.02), `the pointer at 0.64 of the figure set the time to ${hovered / span}`);
  check(
    Math.abs(Number(await page.locator('#time').inputValue()) / 1000 - hovered / span) < 0.002,
    'the slider does not follow the pointer',
  );
  check(Math.abs((await cursorTime(page, 1)) - hovered) < 0.003 * span, 'the other cursor does not follow the pointer');
  check((await picture(page)) !== before, 'the machine does not follow the pointer');
  check(
    (await page.locator('.figure .u-legend .u-value').first().textContent()) !== '--',
    'no value is shown at the cursor',
  );
  // Dragging zooms all figures; "All" undoes it. Taking a picture has scrolled the page.
  await over.scrollIntoViewIfNeeded();
  box = await over.boundingBox();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 62, {steps: 4});
  await page.mouse.up();
  const scales = await page.evaluate(() =>
    window.lash.figures.figures.map((f) => [f.plot.scales.x.min, f.plot.scales.x.max]),
  );
  check(
    scales.every(([a, b]) => close(a / span, 0.2, 0.02) && close(b / span, 0.4, 0.02)),
    `dragging zoomed to ${JSON.stringify(scales)} of ${span}`,
  );
  await page.locator('#all').click();
  const all = await page.evaluate(() =>
    window.lash.figures.figures.map((f) => f.plot.scales.x.max - f.plot.scales.x.min),
  );
  check(
    all.every((x) => close(x, span, 1e-9)),
    'All does not show all',
  );
}

async function checkMagnification(page) {
  const state = () =>
    page.evaluate(() => {
      const v = window.lash.views[0],
        p = v.now.plays[0];
      return {
        m: window.lash.player.magnification,
        e: p.e,
        gap: v.plays[0].play.bearing - v.plays[0].play.journal,
        radius: v.plays[0].bearing.inner,
        journal: v.plays[0].play.journal,
        off: p.journal.map((x, i) => x - p.bearing[i]),
      };
    });
  await goTo(
    page,
    await page.evaluate(() => window.lash.clock.start + 0.4 * (window.lash.clock.end - window.lash.clock.start)),
  );
  await page.locator('#magnification').focus();
  await page.keyboard.press('Home');
  const small = await state(),
    before = await picture(page);
  await page.keyboard.press('End');
  const large = await state();
  check(small.m === 1 && large.m > 20, `the slider goes from ${small.m} to ${large.m}`);
  for (const s of [small, large]) {
    check(
      s.off.every((x, i) => Math.abs(x - s.m * s.e[i]) < 1e-9),
      `the journal is drawn at ${s.off}, not at ${s.m} times ${s.e}`,
    );
    check(Math.abs(s.radius - (s.journal + s.m * s.gap)) < 1e-12, `the bearing is drawn with the radius ${s.radius}`);
  }
  check((await picture(page)) !== before, 'the picture is the same when the play is magnified');
  await page.locator('#look').selectOption({index: 1});
  check((await picture(page)) !== before, 'the picture is the same when the joint is looked at');
  await page.locator('#look').selectOption({index: 0});
}

async function checkKeyboard(page) {
  await goTo(page, 0);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowRight');
  const [time, second] = await page.evaluate(() => [window.lash.clock.time, window.lash.results[0].frames.time[1]]);
  check(time === second, 'the right arrow does not go to the next frame');
  await page.keyboard.press(' ');
  check(await page.evaluate(() => window.lash.clock.playing), 'the space bar does not play');
  await page.keyboard.press(' ');
  check(!(await page.evaluate(() => window.lash.clock.playing)), 'the space bar does not pause');
  // Every control can be reached and has a name.
  const unnamed = await nameless(page);
  check(unnamed.length === 0, `without a name: ${unnamed}`);
  const reached = new Set();
  await page.evaluate(() => {
    const head = document.querySelector('h1');
    head.tabIndex = -1;
    head.focus();
  });
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim()));
  }
  for (const id of ['Play', 'time', 'speed', 'magnification', 'look', 'names', 'Channels'])
    check(reached.has(id), `the tab key does not reach ${id}`);
}

async function checkEvents(page, name) {
  const body = page.locator('#events tbody tr');
  check((await body.count()) > 2, 'the table of events is empty');
  const speed = page.locator('#events th', {hasText: 'Speed'});
  await speed.getByRole('button').click();
  check((await speed.getAttribute('aria-sort')) === 'descending', 'the heading does not sort');
  const most = await page.evaluate(() => Math.max(...window.lash.results[0].events.map((e) => e.speed)));
  const cell = await body.first().locator('td').nth(3).textContent();
  const shown =
    Number(cell.replace('−', '-').split(' ')[0]) * (cell.includes('mm') ? 1e-3 : cell.includes('µm') ? 1e-6 : 1);
  check(close(shown, most, 1e-3), `the fastest event is shown as ${cell}, it is ${most} m/s`);
  await body.first().getByRole('button').click();
  const times = await page.evaluate(() => window.lash.results[0].events.map((e) => e.time));
  check(times.includes(await page.evaluate(() => window.lash.clock.time)), 'a click on an event does not go there');
}

async function checkChoice(page) {
  const figure = page.locator('.figure').first();
  await figure.getByRole('button', {name: 'Channels'}).click();
  await figure.getByRole('searchbox').fill('crank.angle');
  await figure.getByRole('checkbox').first().check();
  check(
    (await page.evaluate(() => window.lash.figures.figures[0].plot.series.length)) >= 3,
    'a chosen channel is not drawn',
  );
  await page.locator('#over').selectOption('motor.angle');
  const x = await page.evaluate(() => window.lash.figures.figures[0].plot.data[0].at(-1));
  check(close(x, 360, 1e-4), `over the crank angle the figure ends at ${x} degrees`);
  await page.locator('#over').selectOption('');
}

async function checkNarrow(name, scheme) {
  const page = await open(name, {width: 400, scheme});
  await checkNarrowPage(page, 400);
  await finish(page);
}

// ---- pictures of play

/** The frame at which a channel is largest, with the row of the run that it is. */
async function goToLargest(page, rows, channel) {
  const [time, index] = await page.evaluate((name) => {
    const {frames} = window.lash.results[0],
      values = frames.get(name);
    let best = 0;
    for (let k = 0; k < frames.count; k++) if (values[k] > values[best]) best = k;
    return [frames.time[best], best];
  }, channel);
  await goTo(page, time);
  return {index, row: rows.get('time').indexOf(time)};
}

/** Nothing that is not round has a circle. */
async function checkNoCircle(page) {
  check(await page.evaluate(() => window.lash.views[0].plays.every((p) => !p.bearing)), 'there is a clearance circle');
  check((await page.locator('svg.drawing .bearing, svg.drawing .journal').count()) === 0, 'a bearing is drawn');
}

/** The corners are where they should be at two magnifications, and have the colours of their modes. */
async function checkChannel(page, name, corners) {
  const rows = readCsv(name);
  await checkNoCircle(page);
  for (const press of ['Home', 'End'])
    for (const corner of corners) {
      await page.locator('#magnification').focus();
      await page.keyboard.press(press);
      const {row} = await goToLargest(page, rows, `slide.${corner}.mode`);
      const seen = await page.evaluate(
        (k) => {
          const v = window.lash.views[0],
            {play, dots, walls} = v.plays[0],
            {axes, corners, m, modes} = v.now.plays[0];
          const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0),
            from = (p, q) => p.map((x, i) => x - q[i]);
          return {
            m,
            mode: modes[k],
            play: play.play,
            height: play.height,
            across: corners.map((c) => dot(from(c, axes.from), axes.v)),
            wall: Math.max(...walls.map((w) => dot(from(w.bar.pieces.at(-1)[0].position.toArray(), axes.from), axes.v))),
            thick: walls[0].bar.painter.line + v.plays[0].thick / 2,
            colour: `#${dots[k].mesh.material.color.getHexString()}`,
            wanted: v.modeColours,
          };
        },
        Number(corner.match(/[0-9]/)[0]) - 1,
      );
      const k = Number(corner.match(/[0-9]/)[0]) - 1,
        side = (corners.length === 4 ? k < 2 : k & 1) ? 1 : -1,
        half = seen.height / 2 + (seen.m * seen.play) / 2,
        depth = side * seen.across[k] - half,
        delta = rows.get(`slide.${corner}.delta`)[row];
      check(seen.mode >= 1, `${corner} never touches`);
      check(seen.colour === seen.wanted[seen.mode], `${corner} of mode ${seen.mode} is ${seen.colour}`);
      check(
        Math.abs(depth - seen.m * delta) < 1e-5 * seen.height,
        `${corner} is drawn ${depth} deep at ${seen.m} times, the channel says ${delta}`,
      );
      check(Math.abs(seen.wall - seen.thick - half) < 1e-9, `the wall is drawn at ${seen.wall - seen.thick}, not ${half}`);
    }
}

/** A post is where the arm meets it at the limit, and shows the mode. */
async function checkStops(page, name) {
  const rows = readCsv(name);
  await checkNoCircle(page);
  for (const [k, side, limit] of [
    [0, 'min', (-150 * Math.PI) / 180],
    [1, 'max', (-30 * Math.PI) / 180],
  ]) {
    const look = () =>
      page.evaluate((i) => {
        const v = window.lash.views[0],
          {bar, fill} = v.plays[0].posts[i],
          [ends] = v.now.ends.slice(1),
          at = bar.pieces.at(-1)[0].position;
        const [from, to] = ends,
          length = Math.hypot(to[0] - from[0], to[1] - from[1]),
          u = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
        return {
          beside: u[0] * (at.y - from[1]) - u[1] * (at.x - from[0]),
          out: Math.hypot(at.x - from[0], at.y - from[1]),
          width: v.machine.width,
          colour: `#${fill.color.getHexString()}`,
          wanted: v.modeColours,
        };
      }, k);
    // The post touches the side of the link when the angle is at the limit.
    const checkPlace = (seen, row) => {
      const angle = limit - rows.get('hinge.angle')[row],
        touch = (k ? 1 : -1) * 0.8 * seen.width,
        along = Math.sqrt(seen.out ** 2 - touch ** 2),
        wanted = along * Math.sin(angle) + touch * Math.cos(angle);
      check(
        Math.abs(seen.beside - wanted) < 1e-5 * seen.width,
        `${side} is drawn ${seen.beside} from the arm, not ${wanted}`,
      );
    };
    await goTo(page, 0);
    checkPlace(await look(), 0);
    const {row, index} = await goToLargest(page, rows, `hinge.${side}.mode`),
      seen = await look(),
      mode = rows.get(`hinge.${side}.mode`)[row];
    checkPlace(seen, row);
    check(mode >= 1 && index > 0, `${side} is never touched`);
    check(seen.colour === seen.wanted[mode], `${side} of mode ${mode} is ${seen.colour}`);
  }
  await goTo(page, 0);
  check(
    await page.evaluate(() => {
      const v = window.lash.views[0];
      return v.plays[0].posts.every(({fill}) => !v.modeColours.includes(`#${fill.color.getHexString()}`));
    }),
    'a post that is not touched has the colour of a mode',
  );
  check(await page.locator('#magnification').isHidden(), 'there is nothing to magnify, and a slider for it');
}

/** The gap on both sides of the tooth, and the flank that touches. */
async function checkTeeth(page, name, tooth) {
  const rows = readCsv(name);
  await checkNoCircle(page);
  for (const [k, flank] of [
    [1, 'flank1'],
    [0, 'flank2'],
  ]) {
    const {row} = await goToLargest(page, rows, `mesh.${flank}.mode`);
    const seen = await page.evaluate(
      ([i, index]) => {
        const v = window.lash.views[0],
          p = v.plays[index],
          drawn = v.now.plays[index];
        return {
          gap: (i ? 1 : -1) * (p.walls[i].position.x - p.tooth.position.x),
          m: drawn.m,
          at: drawn.at,
          visible: p.flanks.map((f) => f.strip.visible),
          colour: `#${p.flanks[i].fill.color.getHexString()}`,
          wanted: v.modeColours,
        };
      },
      [k, tooth],
    );
    const mode = rows.get(`mesh.${flank}.mode`)[row],
      delta = rows.get(`mesh.${flank}.delta`)[row],
      wanted = (-seen.m * delta) / Math.cos((20 * Math.PI) / 180);
    check(mode >= 1, `${flank} never touches`);
    check(seen.m > 1 && Math.abs(seen.gap - wanted) < 1e-8, `the gap at ${flank} is drawn ${seen.gap} wide, not ${wanted}`);
    check(seen.visible[k] && !seen.visible[1 - k], `the flank that touches is not shown at ${flank}`);
    check(seen.colour === seen.wanted[mode], `${flank} of mode ${mode} is ${seen.colour}`);
  }
  return page.evaluate((index) => window.lash.views[0].now.plays[index].at, tooth);
}

async function checkChart(page, note) {
  const text = await page.locator('figure.orbit figcaption').first().textContent();
  check(text.includes(note), `the chart says '${text}'`);
}

/** Nothing of a path is cut off. The number of paths, and the largest size of a coordinate where 1 is contact. */
async function checkPaths(page) {
  const seen = await page.evaluate(() => {
    const [chart] = window.lash.player.charts,
      read = chart.motion.readers[chart.play.index],
      points = Array.from({length: chart.motion.frames.count}, (_, k) => chart.chart.at(read(k), chart.motion.frames.time[k])).flat();
    return {reach: chart.reach, most: Math.max(...points.flat().map(Math.abs)), paths: points.length / chart.motion.frames.count};
  });
  check(seen.most > 0 && seen.most < seen.reach, `a path goes to ${seen.most}, the chart to ${seen.reach}`);
  return seen;
}

/** All parts are inside the picture and the drawing, at the beginning, in the middle and at the end. */
async function checkFits(page) {
  const drawing = await page.evaluate(() => {
    const sheet = document.querySelector('svg.drawing'),
      [, , width, height] = sheet.getAttribute('viewBox').split(' ').map(Number);
    return [...sheet.querySelectorAll('path, circle, text')]
      .filter((part) => {
        const box = part.getBBox(),
          line = (parseFloat(getComputedStyle(part).strokeWidth) || 0) / 2;
        return box.x < line || box.y < line || box.x + box.width > width - line || box.y + box.height > height - line;
      })
      .map((part) => part.outerHTML.slice(0, 120));
  });
  check(drawing.length === 0, `outside the drawing: ${drawing}`);
  for (const share of [0, 0.5, 1]) {
    const seen = await page.evaluate((s) => {
      const {clock, views} = window.lash;
      clock.set(clock.start + s * (clock.end - clock.start));
      let most = 0;
      for (const {scene, camera} of views) {
        scene.updateMatrixWorld(true);
        scene.traverseVisible((part) => {
          const places = part.geometry?.attributes.position;
          if (!places || part.userData.sized) return;
          for (let k = 0; k < places.count; k++) {
            const p = part.position.clone().fromBufferAttribute(places, k).applyMatrix4(part.matrixWorld).project(camera);
            most = Math.max(most, Math.abs(p.x), Math.abs(p.y));
          }
        });
      }
      return most;
    }, share);
    check(seen > 0.1 && seen < 1, `at ${share} of the run a part is at ${seen} of the picture's half`);
  }
}

/** Chords of the chart's paths with their colours. */
const chords = (page) =>
  page.evaluate(() => {
    const [chart] = window.lash.player.charts,
      drawn = [],
      stroke = chart.stroke;
    chart.stroke = (g, points) => points.length === 2 && drawn.push({points, colour: g.strokeStyle, alpha: g.globalAlpha});
    chart.drawPast();
    chart.stroke = stroke;
    const style = getComputedStyle(document.documentElement),
      [gap, impact, following] = ['gap', 'impact', 'following'].map((name) => style.getPropertyValue(`--${name}`).trim());
    return {drawn, gap, impact, following};
  });
const xLimits = (page) => page.evaluate(() => window.lash.figures.figures.map((f) => [f.plot.scales.x.min, f.plot.scales.x.max]));

// ---- the pages

// What flies is not drawn as an impact, though the other end of the pin bounces.
{
  const page = await open('tilt'),
    {drawn, gap, impact} = await chords(page),
    across = drawn.filter(({points: [a, b]}) => Math.hypot((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) < 0.9 && Math.hypot(a[0] - b[0], a[1] - b[1]) > 0);
  check(drawn.some((c) => c.colour === impact), 'no impact is drawn');
  const flights = across.filter((c) => Math.max(...c.points.flat().map(Math.abs)) <= 1); // not the axes of the chart
  check(flights.length > 10, `only ${flights.length} chords of flight`);
  check(flights.every((c) => c.colour === gap), `${flights.filter((c) => c.colour !== gap).length} of ${flights.length} chords of flight are no flight`);
  await finish(page);
}
// Figures begin after the transient that the model discards; all of it is shown on demand, grey.
{
  const page = await open('door');
  check(
    (await xLimits(page)).every(([a, b]) => a === 0.3 && b === 1.2),
    `figures go from ${await xLimits(page)}`,
  );
  check((await page.evaluate(() => window.lash.clock.time)) === 0.3, 'the clock does not begin after the transient');
  check((await page.locator('#figures').textContent()).includes('They begin at 300 ms'), 'nothing says that figures begin later');
  const ground = () =>
    page.evaluate(() => {
      const u = window.lash.figures.figures[0].plot,
        y = u.bbox.top + 0.3 * u.bbox.height,
        at = (t) => u.ctx.getImageData(u.valToPos(t, 'x', true), y, 1, 1).data.join();
      return [at(0.11), at(0.23), at(0.31), at(0.7)];
    });
  await page.locator('#all').click();
  await page.waitForTimeout(100);
  check((await xLimits(page)).every(([a, b]) => a === 0 && b === 1.2), 'All does not show the transient');
  const [first, second, third, fourth] = await ground();
  check(first === second && third === fourth && second !== third, `the transient is not shaded: ${await ground()}`);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.figure').first().getByRole('button', {name: 'SVG'}).click(),
  ]);
  check(readFileSync(await saved.path(), 'utf8').includes('>transient</text>'), 'the transient is not shaded in a saved figure');
  await page.locator('#after').click();
  check((await xLimits(page)).every(([a]) => a === 0.3), 'the transient is not left out again');
  const {drawn} = await chords(page);
  check(drawn.some((c) => c.alpha < 0.5) && drawn.some((c) => c.alpha === 1), 'the transient of a path is not pale');
  const notes = await page.locator('.warnings').textContent();
  check(
    /in 1 contact more than half of the force was damping, at most 483\.\d N of 966\.\d N at t = 0\.58689\d* s; .*this one was pressed faster later/.test(
      notes,
    ),
    `the notes say ${notes}`,
  );
  check((await page.locator('#summary').textContent()).includes('1 body, 1 joint'), 'one body is counted as several');
  await checkFits(page);
  await finish(page);
  const whole = await open('whole');
  check((await xLimits(whole)).every(([a]) => a === 0), '--from 0 does not show the beginning');
  await finish(whole);
}
for (const name of ['buffer', 'stops', 'rack', 'guide', 'spatial', 'coupling']) {
  const page = await open(name);
  await checkFits(page);
  await finish(page);
}
// A body with one point, away from its centre of mass, is a link from there to its mass: in the motion, whatever the
// magnification, and in the drawing. No other body has one.
for (const [name, kinds] of [
  ['deep', {bar: 'link cylinder'}],
  ['swing', {bob: 'link sphere', bar: 'link'}],
  ['pressed', {shaft: 'cylinder'}],
  ['planar', {crank: 'link', rod: 'link', slider: 'box'}],
]) {
  const page = await open(name);
  for (const m of [1, 20]) {
    const seen = await page.evaluate((magnification) => {
      const [view] = window.lash.views,
        {bodies, joints} = view.machine;
      view.update(0.5 * (view.motion.start + view.motion.end), magnification);
      const {ends, poses, shift} = view.now;
      return bodies.slice(1).map(({name, parts, anchors, single}, i) => {
        const link = parts.find((part) => part.kind === 'link'),
          joint = joints.find(({body}) => body[1] === i + 1);
        return {
          name,
          single,
          kinds: parts.map((part) => part.kind).join(' '),
          atMass: ends[i + 1].map((p) => Math.hypot(...p.map((x, d) => x - poses[i + 1].p[d] - shift[i + 1][d]))),
          length: link && Math.hypot(...anchors[link.from].map((x, d) => x - anchors[link.to][d])),
          shifted: Math.hypot(...shift[i + 1]),
          freed: joint.plays.length > 0,
        };
      });
    }, m);
    for (const {name: body, single, kinds: drawn, atMass, length, shifted, freed} of seen) {
      check(drawn === kinds[body], `${body} is drawn as '${drawn}', not as '${kinds[body]}'`);
      if (!single || !length) continue;
      check(atMass.length === 2 && atMass[1] < 1e-9, `the link of ${body} ends ${atMass[1]} m from its mass at ${m} times`);
      check(close(atMass[0], length, 1e-6), `the link of ${body} is ${atMass[0]} m long at ${m} times, not ${length}`);
      check(freed === shifted > 0 || m === 1, `${body} is drawn ${shifted} m from where it is`);
    }
  }
  check(
    (await page.locator('svg.drawing .link').count()) === Object.values(kinds).filter((k) => k.includes('link')).length,
    'the drawing has other links',
  );
  await checkFits(page);
  await finish(page);
}
// An ideal pin stays where it is between two frames as well, though bodies turn far meanwhile.
for (const [name, bodies] of [
  ['turn', ['bar']],
  ['swing', ['bob', 'bar']],
]) {
  const page = await open(name);
  const seen = await page.evaluate((names) => {
    const [{machine, motion}] = window.lash.views,
      {time, count} = motion.frames;
    return names.map((body) => {
      const b = machine.bodies.findIndex((x) => x.name === body),
        joint = machine.joints.find((j) => j.body[1] === b),
        off = [];
      for (let k = 0; k + 1 < count; k++)
        for (const f of [0.2, 0.5, 0.8]) {
          window.lash.clock.set(time[k] + f * (time[k + 1] - time[k]));
          const pin = window.lash.views[0].now.ends[b][joint.anchor[1]];
          off.push(Math.hypot(...pin.map((x, d) => x - joint.at[0][d])));
        }
      return {body, count, off: Math.max(...off), length: Math.hypot(...joint.at[1])};
    });
  }, bodies);
  for (const {body, count, off, length} of seen)
    check(count < 100 && off < 0.005 * length, `between ${count} frames the pin of ${body} is ${off} m from where it is, of ${length}`);
  await finish(page);
}
// Impacts that take no time have impulses instead of forces.
{
  const page = await open('hard'),
    heads = (await page.locator('#events thead th').allTextContents()).map((text) => text.replace(/[^A-Za-z ]/g, '').trim()),
    cells = await page.locator('#events tbody tr', {hasText: 'impact'}).first().locator('td').allTextContents();
  check(
    cells[heads.indexOf('Peak force')] === '' && / [mµ]?N s$/.test(cells[heads.indexOf('Impulse')]),
    `${heads} of a sudden impact are ${cells}`,
  );
  await finish(page);
}
// A spring ends at a wall across it.
{
  const page = await open('buffer');
  const {spring, walls} = await page.evaluate(() => {
    const points = (path) => [...path.getAttribute('d').matchAll(/([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
      all = (kind) => [...document.querySelectorAll(`svg.drawing path.${kind}`)].map(points);
    return {spring: all('spring')[0], walls: all('ground')};
  });
  const [a, b] = [spring[0], spring.at(-1)],
    across = walls.filter(
      ([p, q, more]) =>
        !more &&
        Math.hypot((p[0] + q[0]) / 2 - a[0], (p[1] + q[1]) / 2 - a[1]) < 0.02 &&
        Math.abs((q[0] - p[0]) * (b[0] - a[0]) + (q[1] - p[1]) * (b[1] - a[1])) < 1e-3 * Math.hypot(b[0] - a[0], b[1] - a[1]) ** 2,
    );
  check(across.length === 1, `the spring begins at ${a}, walls are at ${JSON.stringify(walls)}`);
  const marks = await page.evaluate(() => window.lash.views[0].scene.children.filter((part) => part.children.length === 6).map((part) => part.position.toArray()));
  check(
    marks.some((p) => Math.hypot(p[0] + 0.3, p[1] - 0.4) < 1e-9),
    `ground is marked at ${JSON.stringify(marks)}`,
  );
  await finish(page);
}
// Two results show the same in either order.
{
  const seen = [];
  for (const name of ['ideal-first', 'ideal-last']) {
    const page = await open(name);
    seen.push(
      await page.evaluate(() => ({
        titles: window.lash.figures.figures.map((f) => f.title.textContent),
        solid: window.lash.figures.figures.map((f) => f.plot.series.slice(1).filter((s) => !s.dash).map((s) => s.label)),
        looks: [...document.querySelectorAll('#look option')].map((o) => o.textContent),
        key: document.querySelector('.key')?.textContent,
      })),
    );
    await page.locator('#look').selectOption('gudgeon');
    await finish(page);
  }
  check(JSON.stringify(seen[0]) === JSON.stringify(seen[1]), `the order matters: ${JSON.stringify(seen)}`);
  check(
    seen[0].titles[0] === 'gudgeon.fn' && seen[0].looks.includes('gudgeon') && seen[0].key?.includes('following'),
    `two results show ${JSON.stringify(seen[0])}`,
  );
}
{
  const page = await open('planar');
  await checkMotion(page, 'planar', ['crank', 'rod', 'slider'], false);
  await checkPlaying(page);
  await checkLinks(page);
  await checkMagnification(page);
  await checkKeyboard(page);
  check((await checkPaths(page)).paths === 1, 'a pin in the plane has one path');
  // The pin begins in the middle of its bearing but for rounding: that is shown as 0.
  await page.evaluate(() => window.lash.clock.set(0));
  await page.waitForTimeout(100);
  const values = await page.locator('.u-legend .u-value').allTextContents();
  check(values.length > 4 && !values.some((v) => /e−1[3-9]/.test(v)), `rounding is shown: ${values}`);
  await checkEvents(page, 'planar');
  await checkChoice(page);
  check(
    (await page.locator('svg.drawing text').allTextContents()).includes('gudgeon'),
    'the drawing does not name the joint',
  );
  check((await page.locator('pre.model').textContent()).includes('P. Flores'), 'the model is not in the page');
  await finish(page);
  const text = readFileSync(join(folder, 'planar.html'), 'utf8');
  check(
    /Copyright .*three\.js authors/.test(text) && text.includes('Leon Sorokin'),
    'the notices of three and uPlot are missing',
  );
  await checkNarrow('planar', 'dark');
}
{
  const page = await open('spatial', {scheme: 'dark'});
  await checkMotion(page, 'spatial', ['crank', 'rod', 'slider'], true);
  await checkMagnification(page);
  // A pin that may tilt touches at its ends: both are shown.
  check((await checkPaths(page)).paths === 2, 'a pin in space has a path for each end');
  await checkChart(page, ' and ');
  const before = await picture(page),
    box = await page.locator('.view canvas').boundingBox();
  await page.mouse.move(box.x + 200, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 200, {steps: 5});
  await page.mouse.up();
  check((await picture(page)) !== before, 'dragging does not turn the view');
  await finish(page);
  await checkNarrow('spatial', 'light');
}
{
  const page = await open('deep');
  check((await checkPaths(page)).most > 1.5, 'the contact is not deep');
  check((await page.locator('header.title').innerText()).split('deep.h5').length === 2, 'a result without a title is named twice');
  await finish(page);
}
{
  // The page warns of the film as the summary does.
  const page = await open('pressed'),
    notes = await page.locator('.warnings').textContent();
  check(
    /joint bush: 1 time its film was pressed through while it carried more, up to 45(\.\d+)? kN/.test(notes),
    `the notes are: ${notes}`,
  );
  check((await page.locator('#figures').textContent()).includes('and 1 peak between them'), 'one peak is several');
  await finish(page);
}
{
  const page = await open('lubricated');
  await checkMotion(page, 'lubricated', ['rod'], false);
  await checkMagnification(page);
  check(
    (await page.locator('.figure h3').allTextContents()).some((t) => t.includes('.film')),
    'the film is not among the first figures',
  );
  check(
    (await page.locator('.orbit').textContent()).includes('film'),
    'the film is not told beside the path of the journal',
  );
  await finish(page);
}
{
  const page = await open('guide');
  await checkChannel(page, 'guide', ['corner1', 'corner2', 'corner3', 'corner4']);
  await checkChart(page, 'play 2 mm');
  check((await page.locator('#summary td').allTextContents()).join().includes('play 2 mm'), 'the play is not in the table');
  await finish(page);
  await checkNarrow('guide', 'light');
}
// Worn surfaces are drawn as deep as the play is wide, and turn with their parts.
{
  const page = await open('worn');
  for (const press of ['Home', 'End']) {
    await page.locator('#magnification').focus();
    await page.keyboard.press(press);
    await goTo(page, 0.1);
    const seen = await page.evaluate(() => {
      const v = window.lash.views[0],
        [{bearing, face, play, radius}] = v.plays,
        points = (mesh) => {
          const {array} = mesh.geometry.attributes.position;
          return Array.from({length: array.length / 3}, (_, i) => [array[3 * i], array[3 * i + 1]]);
        };
      return {
        m: v.now.plays[0].m,
        c: play.bearing - play.journal,
        radius,
        bore: points(bearing.bore),
        face: points(face),
        turned: 2 * Math.atan2(bearing.group.quaternion.z, bearing.group.quaternion.w),
        angle: v.now.poses[1].angle ?? 2 * Math.atan2(v.now.poses[1].e[3], v.now.poses[1].e[0]),
      };
    });
    const far = (points, wanted) =>
      Math.max(...points.map(([x, y]) => Math.abs(Math.hypot(x, y) - wanted(Math.atan2(y, x)))));
    check(seen.bore.length > 100 && seen.face.length > 100, 'worn surfaces are not drawn');
    check(
      far(seen.bore, (phi) => seen.radius + seen.m * (seen.c + 50e-6 * (1 + Math.cos(phi)))) < 1e-3 * seen.m * seen.c,
      `the worn bore is not where it is at ${seen.m} times`,
    );
    check(
      far(seen.face, (phi) => seen.radius - seen.m * 20e-6 * Math.sin(phi) ** 2) < 1e-3 * seen.m * seen.c,
      `the worn journal is not where it is at ${seen.m} times`,
    );
    check(Math.abs(seen.turned - seen.angle) < 1e-6, `the bearing is turned by ${seen.turned}, its body by ${seen.angle}`);
  }
  check((await page.locator('.orbit').textContent()).includes('worn 100 µm and 20 µm deep'), 'how deep it is worn is not told');
  await finish(page);
}
{
  const page = await open('pits');
  const seen = await page.evaluate(() => {
    const v = window.lash.views[0],
      [{faces, play}] = v.plays,
      inner = faces.map((face) => {
        const {array} = face.geometry.attributes.position,
          y = Array.from({length: array.length / 3}, (_, i) => Math.abs(array[3 * i + 1]));
        return Math.min(...y);
      });
    return {inner, m: v.now.plays[0].m, height: play.height, play: play.play, line: v.painter.line};
  });
  const half = seen.height / 2 + (seen.m * seen.play) / 2 + seen.line;
  check(Math.abs(seen.inner[0] - half - seen.m * 3e-4) < 1e-6, `the worn wall is drawn at ${seen.inner[0]}`);
  check(Math.abs(seen.inner[1] - half) < 1e-6, `the wall that is as new is drawn at ${seen.inner[1]}`);
  await finish(page);
}
// Of a block whose upper face is worn at its ends: its corners there, behind and ahead, and those below as new.
{
  const page = await open('pits');
  const seen = await page.evaluate(() => {
    const v = window.lash.views[0],
      {axes, corners, m, middle} = v.now.plays[0];
    return {
      m,
      up: corners.map((p) => axes.v.reduce((sum, x, k) => sum + x * (p[k] - middle[k]), 0)),
      height: v.plays[0].play.height,
    };
  });
  // The tilt moves the ends above and below alike.
  check(
    Math.abs(seen.up[0] - seen.up[2] - (seen.height - seen.m * 1e-4)) < 1e-6 &&
      Math.abs(seen.up[1] - seen.up[3] - (seen.height - seen.m * 2e-4)) < 1e-6,
    `the worn block's corners are at ${seen.up}`,
  );
  await finish(page);
}
// A pin in space: its bearing is worn at one end, its journal all along, and both turn with their parts.
{
  const page = await open('ends');
  await page.locator('#magnification').focus();
  await page.keyboard.press('End');
  await goTo(page, 0.1);
  const seen = await page.evaluate(() => {
    const v = window.lash.views[0],
      [{bearing, surface, play, radius, journal}] = v.plays,
      points = (mesh) => {
        const {array} = mesh.geometry.attributes.position;
        return Array.from({length: array.length / 3}, (_, i) => Array.from(array.slice(3 * i, 3 * i + 3)));
      },
      q = journal.quaternion;
    return {
      m: v.now.plays[0].m,
      c: play.bearing - play.journal,
      radius,
      bore: points(bearing.ring),
      pin: points(surface),
      turned: [q.x, q.y, q.z, q.w],
      still: bearing.group.quaternion.toArray(),
    };
  });
  const {m, c, radius} = seen,
    at = (points, z) => points.filter((p) => Math.abs(p[2] - z) < 1e-6).map((p) => Math.hypot(p[0], p[1])),
    least = (list) => Math.min(...list);
  check(Math.abs(least(at(seen.bore, -0.03)) - (radius + m * (c + 1e-4))) < 1e-6, 'the worn end of the bore is not drawn worn');
  check(Math.abs(least(at(seen.bore, 0.03)) - (radius + m * c)) < 1e-6, 'the other end of the bore is not drawn as new');
  const pin = seen.pin.filter((p) => Math.abs(Math.abs(p[2]) - 0.03) < 1e-6);
  check(
    pin.length > 100 &&
      Math.max(...pin.map(([x, y]) => Math.abs(Math.hypot(x, y) - (radius - m * 20e-6 * (y * y) / (x * x + y * y))))) <
        1e-3 * m * c,
    'the worn pin is not drawn worn',
  );
  // 0.1 s at 60 rpm: 36°.
  const apart = 2 * Math.acos(Math.min(1, Math.abs(seen.turned.reduce((sum, x, i) => sum + x * seen.still[i], 0))));
  check(Math.abs(apart - 0.2 * Math.PI) < 1e-3, `the worn pin is turned by ${apart}`);
  // The chart holds the limits of both ends, of which one is twice as far as that of a new bearing.
  const chart = await page.evaluate(() => {
    const [{chart, reach}] = window.lash.player.charts;
    return {reach, limits: chart.limits.map((line) => Math.max(...line.map(([x, y]) => Math.hypot(x, y))))};
  });
  check(
    chart.reach > 2 && chart.limits.length === 2 && Math.abs(chart.limits[0] - 2) < 0.01 && Math.abs(chart.limits[1] - 1) < 0.01,
    `limits at ${chart.limits} in a chart to ${chart.reach}`,
  );
  check((await page.locator('.orbit').textContent()).includes('worn 100 µm and 20 µm deep'), 'how deep the pin is worn is not told');
  await finish(page);
}
{
  const page = await open('channel');
  await checkChannel(page, 'channel', ['corner1a', 'corner4a', 'corner8a']);
  await finish(page);
}
{
  const page = await open('stops');
  await checkStops(page, 'stops');
  await checkChart(page, 'stops at −150° and −30°');
  const cell = await page.locator('#summary tr', {hasText: 'Peak force'}).first().locator('td').textContent();
  check(/N m$/.test(cell), `the torque of a stop is shown as ${cell}`);
  check((await page.locator('#events tbody td:nth-child(4)').first().textContent()).endsWith('rad/s'), 'speeds of a stop are no rad/s');
  await finish(page);
}
{
  // Stops half a degree from the middle: the angle to the spoke that meets them is magnified.
  const page = await open('coupling'),
    rows = readCsv('coupling');
  await checkNoCircle(page);
  const {row} = await goToLargest(page, rows, 'coupling.max.mode');
  const seen = await page.evaluate(() => {
    const v = window.lash.views[0],
      {posts, joint} = v.plays[0],
      {m, at} = v.now.plays[0],
      spoke = v.now.poses[joint.body[1]].angle;
    return {
      m,
      angles: posts.map(({bar}) => {
        const p = bar.pieces.at(-1)[0].position,
          angle = Math.atan2(p.y - at[1], p.x - at[0]) - spoke;
        return Math.atan2(Math.sin(angle), Math.cos(angle));
      }),
    };
  });
  const angle = rows.get('coupling.angle')[row],
    half = (0.5 * Math.PI) / 180,
    beside = seen.angles[1] - seen.m * (half - angle);
  check(seen.m > 10 && beside > 0 && beside < 0.2, `the upper post is ${seen.angles[1]} rad from the spoke at ${seen.m} times`);
  check(
    close(seen.angles[1] - seen.angles[0] - 2 * beside, 2 * seen.m * half, 1e-3),
    `the posts are ${seen.angles} rad from the spoke at ${seen.m} times`,
  );
  await finish(page);
}
{
  const page = await open('gears');
  const at = await checkTeeth(page, 'gears', 0);
  check(close(at[0], 0.05, 1e-6) && Math.abs(at[1]) < 1e-6, `the teeth mesh at ${at}`);
  await checkChart(page, 'backlash');
  // A wheel is filled once, its rim is a line.
  const fills = await page.locator('svg.drawing .part').evaluateAll((parts) => parts.map((p) => getComputedStyle(p).fillOpacity).join());
  check(fills === '0.9,0,0.9,0', `the wheels are drawn with the opacities ${fills}`);
  // The name of the mesh is where the wheels meet, a third of the way.
  const [first, second, name] = await page.evaluate(() => [
    ...[...document.querySelectorAll('svg.drawing .pin')].map((pin) => Number(pin.getAttribute('cx'))),
    Number([...document.querySelectorAll('svg.drawing text')].find((text) => text.textContent === 'mesh').getAttribute('x')),
  ]);
  check(close((name - first) / (second - first), 1 / 3, 1e-3), `the mesh is named at ${name} between ${first} and ${second}`);
  await finish(page);
}
{
  const page = await open('rack');
  const at = await checkTeeth(page, 'rack', 1);
  check(Math.abs(at[0]) < 1e-6 && Math.abs(at[1]) < 1e-6, `the rack meshes at ${at}`);
  await finish(page);
}
{
  // two results: one clock, curves of both
  const page = await open('two');
  check((await page.locator('.view canvas').count()) === 2, 'there are not two machines');
  const frames = await page.evaluate(() => window.lash.results.map((r) => r.frames.time[10]));
  await goTo(page, frames[1]);
  check(
    close(
      await page.evaluate(() => window.lash.views[1].now.poses[3].p[0]),
      await page.evaluate(() => window.lash.results[1].frames.get('slider.x')[10]),
      FLOAT,
    ),
    'the second machine is elsewhere',
  );
  check(
    (await page.evaluate(() => window.lash.figures.figures[0].plot.series.length)) === 3,
    'a figure does not show both results',
  );
  check(
    (await page.locator('table.summary thead th').allTextContents()).join() === 'planar,large',
    'the summary does not name both',
  );
  await finish(page);
  await checkNarrow('two', 'light');
}
{
  // thinned, but with every peak
  const page = await open('long'),
    steps = readCsv('long'),
    peaks = readCsv('peaks'),
    rows = {get: (channel) => [...steps.get(channel), ...peaks.get(channel)]};
  check((await page.evaluate(() => window.lash.results[0].rowsPerPoint)) > 1, 'the long run was not thinned');
  for (const channel of ['gudgeon.fn', 'slider.ax', 'motor.torque', 'gudgeon.delta']) {
    const values = rows.get(channel),
      [low, high] = await page.evaluate((c) => {
        const v = window.lash.results[0].plot.get(c);
        return [Math.min(...v), Math.max(...v)];
      }, channel);
    const least = values.reduce((a, b) => Math.min(a, b)),
      most = values.reduce((a, b) => Math.max(a, b));
    check(
      Math.abs(low - least) <= FLOAT * Math.abs(least) && Math.abs(high - most) <= FLOAT * Math.abs(most),
      `${channel}: ${low} to ${high} of ${least} to ${most}`,
    );
  }
  const strongest = await page.evaluate(() => window.lash.views[0].strongest),
    f = rows.get('gudgeon.f').reduce((a, b) => Math.max(a, b));
  check(Math.abs(strongest - f) <= 1e-5 * f, `the strongest force of the animation is ${strongest}, the run's is ${f}`);
  await finish(page);
}
for (const name of ['hostile', 'forged']) {
  const page = await open(name);
  await page.getByRole('button', {name: 'Add figure'}).click();
  await page.waitForTimeout(200);
  check((await page.evaluate(() => window.owned)) === undefined, 'a script from the model has run');
  check(
    (await page.evaluate(
      () => document.querySelectorAll('img, script:not([type]), [onload], [onerror], iframe').length,
    )) === 0,
    'an element came from the model',
  );
  check(
    (await page.locator('h1').textContent()).startsWith('</title></script><script>window.owned = 1'),
    'the title is not shown as it is',
  );
  check((await page.title()).startsWith('</title></script>'), `the title of the page is ${await page.title()}`);
  check(
    (await page.evaluate(() => window.lash.results[0].model)).includes('--> <!-- <script> </script>'),
    'the model text is not whole',
  );
  await finish(page);
  // Nor could a script that came in some other way run, or reach the network.
  const late = await open(name);
  await late.evaluate(() => {
    const s = document.createElement('script');
    s.textContent = 'window.owned = 4';
    document.body.append(s);
  });
  check((await late.evaluate(() => window.owned)) === undefined, 'the policy lets foreign scripts run');
  check(
    await late.evaluate(() =>
      fetch('https://lash.invalid/').then(
        () => false,
        () => true,
      ),
    ),
    'the policy lets the page reach the network',
  );
  check(late.asked.length === 0, 'a request left the page');
  await late.context().close();
}
{
  const page = await open('study');
  check((await page.evaluate(() => window.lash.study.rows.length)) === 12, 'the table does not have 12 points');
  check((await page.locator('h1').textContent()).includes('<b>and</b>'), 'the title is not shown as it is');
  check((await page.evaluate(() => window.owned)) === undefined, 'a script from the study has run');
  for (const id of ['curves', 'map', 'cuts', 'table'])
    check((await page.locator(`#${id}`).count()) === 1, `there is no section ${id}`);
  check((await page.evaluate(() => window.lash.study.cuts[0].values.length)) >= 12, 'there are no cuts');
  check((await page.evaluate(() => window.lash.study.cuts[0].unit)) === 'm/s', 'the cuts have no unit');
  const speeds = await page.evaluate(() => {
    const {columns, rows} = window.lash.study,
      k = columns.findIndex((c) => c.name === 'speed');
    return {unit: columns[k].unit, values: [...new Set(rows.map((r) => r[k]))]};
  });
  check(speeds.unit === 'rpm' && speeds.values.join() === '1000,2000,3000', `speeds are ${speeds.values} ${speeds.unit}`);
  const map = page.locator('.heat canvas'),
    said = page.locator('.readout'),
    before = await said.textContent();
  await map.focus();
  await page.keyboard.press('ArrowRight');
  check((await said.textContent()) !== before, 'the arrow keys do not read the map');
  const plotted = await map.screenshot();
  await page.locator('#map select').nth(2).selectOption({index: 1});
  check(!plotted.equals(await map.screenshot()), 'another metric gives the same map');
  check(
    (await page.locator('#curves select').nth(1).inputValue()) === (await page.locator('#map select').nth(2).inputValue()),
    'the figures show different metrics',
  );
  const column = page.locator('#table th', {hasText: 'max gudgeon.fn'});
  await column.getByRole('button').click();
  const numbers = await page.evaluate(() =>
    [...document.querySelectorAll('#table tbody tr')].map((r) => Number(r.children[3].textContent)),
  );
  check(
    numbers.every((x, i) => !i || x >= numbers[i - 1]),
    `the table is not sorted: ${numbers}`,
  );
  await finish(page);
  await checkNarrow('study', 'dark');
}
{
  const page = await open('unkept');
  check((await page.locator('#table').count()) === 1, 'the page of a study without cuts has no table');
  check((await page.locator('#cuts').count()) === 0, 'there is an empty figure of cuts that were not kept');
  await finish(page);
}
{
  // Drawn points: the bins hold every one of them, in order and where the values are.
  const page = await open('drawn');
  check((await page.locator('#distribution').count()) === 1, 'drawn points have no distribution');
  const drawn = await page.evaluate(() => {
    const {study, figures} = window.lash,
      values = study.values(study.metrics[0]),
      [edges, counts] = figures.find((f) => f.bins).bins;
    return {values, edges, counts};
  });
  const last = drawn.edges.length - 1,
    near = (a, b) => Math.abs(a - b) < 1e-9 * Math.abs(b);
  check(drawn.values.length === 40 && drawn.counts.reduce((a, b) => a + b) === 40, `the bins hold ${drawn.counts}`);
  check(near(drawn.edges[0], Math.min(...drawn.values)) && near(drawn.edges[last], Math.max(...drawn.values)), `the bins go from ${drawn.edges[0]} to ${drawn.edges[last]}`);
  for (let k = 0; k < last; k++) {
    const inside = drawn.values.filter((x) => x >= drawn.edges[k] && (k + 1 === last || x < drawn.edges[k + 1])).length;
    check(inside === drawn.counts[k], `bin ${k} has ${drawn.counts[k]} values, not ${inside}`);
  }
  // Quantiles with their bands are those of `lash study show`.
  const shown = await page.evaluate(() => window.lash.figures.find((f) => f.quantiles).quantiles),
    told = [...readFileSync(join(folder, 'drawn.txt'), 'utf8').matchAll(/(\d+) %: ([\d.e+-]+) \((\S+) to ([^)]+)\)/g)];
  check(told.length === 3, `lash study show says ${told}`);
  told.forEach(([, percent, ...words], k) => {
    const {p, value, low, high} = shown[k],
      same = (x, word) => (word === '-' ? Number.isNaN(x) || x === null : Math.abs(x - Number(word)) <= 1e-4 * Math.abs(x));
    check(
      Math.abs(100 * p - percent) < 1e-9 && [value, low, high].every((x, i) => same(x, words[i])),
      `the quantile ${p} is ${value} (${low} to ${high}), the program says ${words}`,
    );
  });
  // Points are counted in whole numbers.
  const counts = await page.evaluate(() => window.lash.figures.find((f) => f.bins).chart.plot.axes[1]._values.map(Number));
  check(counts.length > 1 && counts.every(Number.isInteger), `the counts of a distribution are ${counts}`);
  check((await page.locator('table.quantiles tbody tr').count()) === 3, 'the quantiles are not in the page');
  await finish(page);
}
{
  // A logarithmic axis has labels within its decades.
  const page = await open('log'),
    labels = await page.evaluate(() => window.lash.figures[0].chart.plot.axes[0]._values.join());
  check(labels === '0.02,0.05,0.1,0.2,0.5', `the labels of a logarithmic axis are ${labels}`);
  await finish(page);
}
check((await (await open('study')).locator('#distribution').count()) === 0, 'a study without drawn points has a distribution');
for (const name of ['planar', 'long', 'two', 'study', 'spatial'])
  check(statSync(join(folder, `${name}.html`)).size <= MOST_BYTES, `${name}.html is larger than 10 MB`);

await done();
