// SPDX-License-Identifier: MIT
//
// Elements. Text from models and results enters the page here only, as text.

/** element('p.note', 'text', child, {title: '…', onclick: f}) */
export function element(what, ...content) {
  const [tag, ...classes] = what.split('.');
  const node = document.createElement(tag || 'div');
  if (classes.length) node.className = classes.join(' ');
  for (const item of content.flat()) {
    if (item === null || item === undefined || item === false) continue;
    if (item instanceof Node) node.append(item);
    else if (typeof item === 'object') set(node, item);
    else node.append(document.createTextNode(String(item)));
  }
  return node;
}

function set(node, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name in node && name !== 'list') node[name] = value;
    else node.setAttribute(name, value);
  }
}

export function svg(tag, attributes = {}, ...content) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...content);
  return node;
}

export function section(title, ...content) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, '-');
  return element('section', {id}, element('h2', title), ...content);
}

/** Colours of the theme, from the style sheet. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Calls back when the reader's theme changes, until the signal, if there is one, is aborted. */
export function onTheme(callback, signal) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', callback, {signal});
}

/** Whether the reader prefers reduced motion. */
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Colours that colour-blind readers can tell apart too (Okabe and Ito), in the order in which they are used. */
export const SERIES = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f', '#b8a500'];

/** A table whose headings sort it. columns: {name, value(row), show(row), numeric}; rows are shown in portions. */
export function sortableTable(columns, rows, {portion = 100, onpick, caption} = {}) {
  let order = rows.slice(),
    shown = portion,
    sorted = null,
    falling = false;
  const body = element('tbody');
  const more = element('button.quiet', {
    type: 'button',
    onclick: () => {
      shown += 10 * portion;
      fill();
    },
  });
  const heads = columns.map((column) => {
    const button = element('button.sort', {type: 'button', onclick: () => sort(column)}, column.name);
    return element(column.numeric ? 'th.number' : 'th', {scope: 'col'}, button);
  });
  function sort(column) {
    falling = sorted === column ? !falling : Boolean(column.numeric) && column.falls !== false;
    sorted = column;
    const sign = falling ? -1 : 1;
    order = rows.slice().sort((a, b) => {
      const x = column.value(a),
        y = column.value(b);
      if (!column.numeric) return sign * String(x).localeCompare(String(y), 'en', {numeric: true});
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
      return sign * (x - y);
    });
    heads.forEach((head, i) =>
      columns[i] === column
        ? head.setAttribute('aria-sort', falling ? 'descending' : 'ascending')
        : head.removeAttribute('aria-sort'),
    );
    fill();
  }
  function fill() {
    body.replaceChildren(
      ...order.slice(0, shown).map((row) => {
        const cells = columns.map((c) => element(c.numeric ? 'td.number' : 'td', c.show(row)));
        const line = element('tr', cells);
        if (onpick) {
          const first = cells[0];
          first.replaceChildren(
            element('button.link', {type: 'button', onclick: () => onpick(row)}, columns[0].show(row)),
          );
        }
        return line;
      }),
    );
    more.hidden = shown >= order.length;
    more.textContent = `Show more (${order.length - shown} left)`;
  }
  fill();
  const table = element(
    'table',
    caption ? element('caption', caption) : null,
    element('thead', element('tr', heads)),
    body,
  );
  return {
    node: element('div', element('div.scroll', {tabIndex: 0}, table), more),
    refill: (next) => {
      rows = next;
      order = next.slice();
      shown = portion;
      sorted ? ((falling = !falling), sort(sorted)) : fill();
    },
  };
}
