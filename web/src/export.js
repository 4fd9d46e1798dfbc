// SPDX-License-Identifier: MIT
//
// Files that the reader can save: pictures of figures and of the machine, texts.
import {colour, svg} from './dom.js';

export function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type})),
    link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const fileName = (title) => title.replace(/[^\w.-]+/g, '-').slice(0, 60) || 'figure';

/** The canvas of a figure on paper, with its legend above. */
export function savePng(figure) {
  const {plot, channels} = figure,
    from = plot.ctx.canvas,
    ratio = from.width / plot.width,
    head = 26 * ratio,
    canvas = document.createElement('canvas');
  canvas.width = from.width;
  canvas.height = from.height + head;
  const g = canvas.getContext('2d');
  g.fillStyle = colour('surface');
  g.fillRect(0, 0, canvas.width, canvas.height);
  g.drawImage(from, 0, head);
  g.font = `${12 * ratio}px system-ui, sans-serif`;
  let x = 12 * ratio;
  for (const series of plot.series.slice(1)) {
    g.fillStyle = series._stroke ?? colour('ink');
    g.fillText(series.label, x, 17 * ratio);
    x += g.measureText(series.label).width + 18 * ratio;
  }
  canvas.toBlob((blob) => download(`${fileName(channels.join('-'))}.png`, blob));
}

/** What uPlot has drawn, as lines and texts; before `transient`, where there is one, shaded. */
export function figureSvg(u, transient = NaN) {
  const ratio = u.ctx.canvas.width / u.width,
    {left, top, width, height} = Object.fromEntries(Object.entries(u.bbox).map(([k, v]) => [k, v / ratio]));
  const HEAD = 24,
    text = (x, y, content, more) => {
      const node = svg('text', {x: x.toFixed(1), y: y.toFixed(1), 'font-size': 12, fill: '#333', ...more});
      node.textContent = content;
      return node;
    };
  const out = svg('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${u.width} ${u.height + HEAD}`,
    width: u.width,
    height: u.height + HEAD,
    'font-family': 'system-ui, sans-serif',
  });
  out.append(svg('rect', {width: u.width, height: u.height + HEAD, fill: '#fff'}));
  let x = 12;
  for (const series of u.series.slice(1)) {
    out.append(text(x, 16, series.label, {fill: series._stroke ?? '#333'}));
    x += 7 * series.label.length + 18;
  }
  const at = (v, scale) => u.valToPos(v, scale) + (scale === 'x' ? left : top + HEAD),
    shaded = Math.min(at(transient, 'x') - left, width);
  if (shaded > 0) {
    out.append(svg('rect', {x: left, y: top + HEAD, width: shaded, height, fill: '#eee'}));
    if (shaded > 70) out.append(text(left + 4, top + HEAD + 14, 'transient', {fill: '#777'}));
  }
  u.axes.forEach((a, i) => {
    if (!a.show || !a._splits) return;
    a._splits.forEach((v, k) => {
      if (v === null || a._values[k] === '') return;
      const p = at(v, a.scale);
      if (i === 0) {
        out.append(svg('path', {d: `M${p.toFixed(1)} ${top + HEAD}v${height}`, stroke: '#ddd'}));
        out.append(text(p, top + HEAD + height + 16, a._values[k], {'text-anchor': 'middle'}));
      } else {
        if (i === 1) out.append(svg('path', {d: `M${left} ${p.toFixed(1)}h${width}`, stroke: '#ddd'}));
        out.append(
          i === 1
            ? text(left - 6, p + 4, a._values[k], {'text-anchor': 'end'})
            : text(left + width + 6, p + 4, a._values[k], {}),
        );
      }
    });
    const label = String(a.label ?? '').trim();
    if (!label) return;
    if (i === 0) out.append(text(left + width / 2, top + HEAD + height + 34, label, {'text-anchor': 'middle'}));
    else {
      const px = i === 1 ? 12 : u.width - 6,
        py = top + HEAD + height / 2;
      out.append(text(px, py, label, {'text-anchor': 'middle', transform: `rotate(-90 ${px} ${py})`}));
    }
  });
  const clip = svg('clipPath', {id: 'inside'}, svg('rect', {x: left, y: top + HEAD, width, height}));
  out.append(clip);
  u.series.slice(1).forEach((series, k) => {
    const {min, max} = u.scales.x;
    let path = '',
      pen = false;
    u.data[0].forEach((v, i) => {
      const y = u.data[k + 1][i];
      if (y === null || v === null) {
        if (!series.spanGaps) pen = false;
        return;
      }
      if (y === undefined || v < min || v > max) return;
      path += `${pen ? 'L' : 'M'}${at(v, 'x').toFixed(2)} ${at(y, series.scale).toFixed(2)}`;
      pen = true;
    });
    const line = svg('path', {d: path, fill: 'none', stroke: series._stroke ?? '#333', 'stroke-width': series.width});
    line.setAttribute('clip-path', 'url(#inside)');
    if (series.dash) line.setAttribute('stroke-dasharray', series.dash.join(' '));
    out.append(line);
  });
  return new XMLSerializer().serializeToString(out);
}

const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'paint-order'],
  LETTERS = ['font-family', 'font-size', 'font-weight'];

/** A drawing on paper of its own, with what the page's style sheet says of its parts. */
export function drawingSvg(drawing) {
  const copy = drawing.cloneNode(true),
    [, , width, height] = drawing.getAttribute('viewBox').split(' '),
    parts = 'path, circle, text',
    shown = drawing.querySelectorAll(parts);
  copy.querySelectorAll(parts).forEach((part, i) => {
    const style = getComputedStyle(shown[i]);
    for (const name of [...STYLES, ...(part.tagName === 'text' ? LETTERS : [])]) part.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.prepend(svg('rect', {width, height, fill: colour('surface')}));
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(figure) {
  download(`${fileName(figure.channels.join('-'))}.svg`, figureSvg(figure.plot, figure.group.transient()), 'image/svg+xml');
}
