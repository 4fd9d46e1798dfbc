// SPDX-License-Identifier: MIT
//
// A text with numbered lines, messages at their places and completion. The text itself is a plain text area, so that
// keyboards, screen readers and undo work as usual; the marks are behind it, the line numbers beside it.
import {element} from './dom.js';
import {complete} from './completion.js';

const MOST_OFFERED = 40;

export class Editor {
  /** onchange(text) after each change; words() gives {schema, parameters} for completion. */
  constructor({label, onchange, words}) {
    this.words = words;
    this.area = element('textarea.text', {
      spellcheck: false,
      autocomplete: 'off',
      autocapitalize: 'off',
      wrap: 'off',
      ariaLabel: label,
      rows: 24,
    });
    this.area.setAttribute('aria-describedby', 'editor-help');
    this.area.setAttribute('aria-controls', 'editor-offers');
    this.marks = element('pre.marks', {ariaHidden: 'true'});
    this.lines = element('pre.lines', {ariaHidden: 'true'});
    this.offers = element('ul.offers', {hidden: true, role: 'listbox', id: 'editor-offers', ariaLabel: 'Keys and values allowed here'});
    this.messages = element('ol.messages', {ariaLive: 'polite', ariaLabel: 'Messages'});
    this.node = element(
      'div.editor',
      element('div.frame', this.lines, element('div.sheet', this.marks, this.area, this.offers)),
      element('p.hint', {id: 'editor-help'}, 'Ctrl+Space offers keys and values; Tab takes one, Escape closes the list.'),
      this.messages,
    );
    this.mistakes = [];
    this.area.addEventListener('input', () => {
      this.refresh();
      onchange(this.area.value);
      if (/[\w$]/.test(this.area.value[this.area.selectionStart - 1] ?? '')) this.offer(false);
      else this.close();
    });
    this.area.addEventListener('scroll', () => this.follow());
    this.area.addEventListener('blur', () => setTimeout(() => this.close(), 150));
    this.area.addEventListener('click', () => this.close());
    this.area.addEventListener('keydown', (event) => this.key(event));
  }
  get value() {
    return this.area.value;
  }
  set value(text) {
    this.area.value = text;
    this.mistakes = [];
    this.refresh();
  }

  follow() {
    this.marks.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    this.lines.scrollTop = this.area.scrollTop;
  }
  refresh() {
    const count = this.area.value.split('\n').length,
      bad = new Map(this.mistakes.map((m) => [m.line, m]));
    if (count !== this.count || this.mistakes !== this.numbered) {
      this.count = count;
      this.numbered = this.mistakes;
      this.lines.replaceChildren(
        ...Array.from({length: count}, (_, i) => {
          const m = bad.get(i + 1);
          return element(m ? (m.warning ? 'span.warned' : 'span.wrong') : 'span', `${i + 1}\n`);
        }),
      );
    }
    const content = [];
    if (bad.size)
      this.area.value.split('\n').forEach((line, i) => {
        const m = bad.get(i + 1);
        if (m) {
          const letters = [...line],
            from = Math.max(0, Math.min(letters.length - 1, m.column - 1)),
            rest = letters.slice(from).join(''),
            word = /^[^\s:,{}[\]]+/.exec(rest)?.[0] ?? rest.slice(0, 1);
          content.push(letters.slice(0, from).join(''), element(m.warning ? 'u.warned' : 'u.wrong', word || ' '), rest.slice(word.length));
        } else content.push(line);
        content.push('\n');
      });
    this.marks.replaceChildren(...content);
    this.follow();
  }
  /** Messages of the solver's reader: {line, column, message, warning, place}; `name` is the file of this text. */
  show(mistakes, name) {
    const here = (m) => m.line > 0 && (!m.place || m.place === name);
    this.mistakes = mistakes.filter(here);
    this.refresh();
    this.area.setAttribute('aria-invalid', String(mistakes.some((m) => !m.warning)));
    this.messages.replaceChildren(
      ...mistakes.slice(0, 50).map((m) => {
        // A value that is set comes from a slider; an included file has lines of its own.
        const place = here(m) ? `${m.line}:${m.column}` : m.place === '--set' ? 'slider:' : m.line > 0 ? `${m.place}:${m.line}:${m.column}` : '',
          words = `${m.warning ? 'warning: ' : ''}${m.message}`;
        return element(
          m.warning ? 'li.warned' : 'li.wrong',
          here(m)
            ? element('button.link', {type: 'button', onclick: () => this.goTo(m.line, m.column)}, place)
            : place,
          ` ${words}`,
        );
      }),
    );
  }
  offsetOf(line, column) {
    const lines = this.area.value.split('\n');
    let at = 0;
    for (let i = 0; i < line - 1 && i < lines.length; i++) at += lines[i].length + 1;
    return at + [...(lines[line - 1] ?? '')].slice(0, Math.max(0, column - 1)).join('').length;
  }
  goTo(line, column) {
    const at = this.offsetOf(line, column);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (line - 6) * this.lineHeight());
  }
  lineHeight() {
    return parseFloat(getComputedStyle(this.area).lineHeight);
  }

  // ---- completion

  offer(wanted) {
    const {schema, parameters} = this.words(),
      at = this.area.selectionStart,
      found = complete(schema, this.area.value, at, parameters);
    if (!found || (!wanted && found.typed.length < 1)) return this.close();
    this.found = found;
    this.chosen = 0;
    this.offers.replaceChildren(
      ...found.items.slice(0, MOST_OFFERED).map((item, i) =>
        element(
          'li',
          {
            role: 'option',
            id: `offer-${i}`,
            onmousedown: (event) => {
              event.preventDefault();
              this.chosen = i;
              this.take();
            },
          },
          element('b', item.text),
          element('span', item.doc),
        ),
      ),
    );
    const line = this.area.value.slice(0, at).split('\n'),
      style = getComputedStyle(this.area),
      width = this.letterWidth(style),
      left = parseFloat(style.paddingLeft) + [...line[line.length - 1]].length * width - this.area.scrollLeft,
      top = parseFloat(style.paddingTop) + line.length * this.lineHeight() - this.area.scrollTop;
    this.offers.hidden = false;
    const room = this.area.clientWidth - this.offers.offsetWidth - 4;
    this.offers.style.left = `${Math.max(0, Math.min(room, left))}px`;
    this.offers.style.top = `${top}px`;
    this.mark();
  }
  letterWidth(style) {
    if (!this.width) {
      const g = document.createElement('canvas').getContext('2d');
      g.font = style.font;
      this.width = g.measureText('0000000000').width / 10;
    }
    return this.width;
  }
  mark() {
    [...this.offers.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === this.chosen)));
    this.offers.children[this.chosen]?.scrollIntoView({block: 'nearest'});
    this.area.setAttribute('aria-activedescendant', `offer-${this.chosen}`);
  }
  close() {
    this.offers.hidden = true;
    this.found = null;
    this.area.removeAttribute('aria-activedescendant');
  }
  take() {
    const {from} = this.found,
      {insert} = this.found.items[this.chosen];
    this.area.focus();
    this.area.setSelectionRange(from, this.area.selectionStart);
    // By the browser's own command, so that it can be undone.
    if (!document.execCommand('insertText', false, insert)) this.area.setRangeText(insert, from, this.area.selectionEnd, 'end');
    this.close();
    this.area.dispatchEvent(new Event('input'));
    this.close();
  }
  key(event) {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      return this.offer(true);
    }
    if (!this.found) {
      if (event.key === 'Enter') {
        // The next line is indented like this one, and deeper after a key without a value.
        const before = this.area.value.slice(0, this.area.selectionStart),
          line = before.slice(before.lastIndexOf('\n') + 1),
          indent = /^\s*/.exec(line)[0] + (/:\s*(#.*)?$/.test(line) ? '  ' : '');
        if (indent) {
          event.preventDefault();
          document.execCommand('insertText', false, `\n${indent}`);
        }
      }
      return;
    }
    const count = this.offers.children.length;
    if (event.key === 'ArrowDown') this.chosen = (this.chosen + 1) % count;
    else if (event.key === 'ArrowUp') this.chosen = (this.chosen + count - 1) % count;
    else if (event.key === 'Tab') this.take();
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
    if (this.found) this.mark();
  }
}
