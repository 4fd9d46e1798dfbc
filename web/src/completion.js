// SPDX-License-Identifier: MIT
//
// What may be written at a place of a model: the place is found from the text above it, keys and words from the schema
// that the solver gives (`lash help schema`).

const KEY = /^([\w$.-]+|"[^"]*"|'[^']*')\s*:(?=\s|$)/;
const bare = (text) => text.replace(/^["']|["']$/g, '');

/** Where in a model an offset is: {path, typed, from, value, type}. `typed` is the word begun, `from` its start. */
export function placeAt(text, offset) {
  const before = text.slice(0, offset),
    stack = []; // {indent, key}: blocks; {flow: true, key, at}: braces
  let key = null; // the key whose value comes next
  let lineStart = 0;
  for (const line of before.split('\n')) {
    let i = 0;
    const inFlow = () => stack.length > 0 && stack[stack.length - 1].flow;
    if (!inFlow()) {
      const indent = line.search(/\S|$/);
      if (line.trim() !== '' || lineStart + line.length >= offset)
        while (stack.length && stack[stack.length - 1].indent >= indent) stack.pop();
      key = null;
      i = indent;
      const found = KEY.exec(line.slice(i));
      if (found) {
        key = bare(found[1]);
        stack.push({indent, key});
        i += found[0].length;
      }
    }
    for (; i < line.length; i++) {
      const c = line[i];
      if (c === '#' && (i === 0 || /\s/.test(line[i - 1]))) {
        if (lineStart + line.length >= offset) return null; // inside a comment
        break;
      }
      if (c === '"' || c === "'") {
        const end = line.indexOf(c, i + 1);
        const word = end > 0 && inFlow() && key === null ? KEY.exec(line.slice(i)) : null;
        if (word) {
          key = bare(word[1]);
          i += word[0].length - 1;
        } else i = end < 0 ? line.length : end;
      } else if (c === '{' || c === '[') {
        stack.push({flow: true, key, at: lineStart + i, list: c === '['});
        key = null;
      } else if (c === '}' || c === ']') {
        while (stack.length && !stack.pop().flow);
        key = null;
      } else if (c === ',' && inFlow()) key = null;
      else if (inFlow() && !stack[stack.length - 1].list && key === null && /[\w$]/.test(c)) {
        const word = KEY.exec(line.slice(i));
        if (word) {
          key = bare(word[1]);
          i += word[0].length - 1;
        } else {
          const rest = /^[\w$.-]*/.exec(line.slice(i))[0];
          i += Math.max(0, rest.length - 1);
        }
      }
    }
    lineStart += line.length + 1;
  }
  const typed = /[\w$.-]*$/.exec(before)[0],
    from = offset - typed.length,
    flow = stack[stack.length - 1]?.flow,
    line = before.slice(before.lastIndexOf('\n') + 1),
    value = flow ? key !== null : KEY.test(line.trimStart());
  const path = [];
  for (const part of stack) if (part.key !== null && !(part.flow && path.length && stack[stack.indexOf(part) - 1]?.key === part.key)) path.push(part.key);
  if (flow && key !== null && value) path.push(key);
  return {path, typed, from, value, type: typeAt(text, offset, flow ? stack[stack.length - 1].at : -1)};
}

/** The type that the object around a place states. */
function typeAt(text, offset, brace) {
  if (brace >= 0) {
    const end = text.indexOf('}', offset);
    return /\btype\s*:\s*([\w-]+)/.exec(text.slice(brace, end < 0 ? undefined : end))?.[1];
  }
  const lines = text.split('\n'),
    at = text.slice(0, offset).split('\n').length - 1,
    indentOf = (line) => line.search(/\S|$/),
    mine = indentOf(lines[at]) || lines[at].length;
  for (const step of [-1, 1])
    for (let i = at + (step > 0 ? 1 : 0); i >= 0 && i < lines.length; i += step) {
      if (lines[i].trim() === '') continue;
      const indent = indentOf(lines[i]);
      if (indent < mine) break;
      const found = indent === mine && /^\s*type\s*:\s*([\w-]+)/.exec(lines[i]);
      if (found) return found[1];
    }
}

/** A schema with its references followed, as a list of alternatives. */
function parts(schema, root, type) {
  if (!schema) return [];
  if (schema.$ref) return parts(schema.$ref.split('/').slice(1).reduce((at, key) => at?.[key], root), root, type);
  const out = [schema];
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? [])]) {
    const wanted = part.if?.properties?.type?.const;
    if (part.if) {
      if (type === undefined || wanted === type) out.push(...parts(part.then, root, type));
    } else out.push(...parts(part, root, type));
  }
  return out;
}

/** What may be written at a place: [{text, doc}], the best match first. */
export function complete(schema, text, offset, parameters = []) {
  const place = placeAt(text, offset);
  if (!place || !schema) return null;
  const spatial = /^space\s*:\s*spatial/m.test(text);
  let at = parts(schema.definitions[spatial ? 'space-model' : 'plane-model'], schema, undefined);
  place.path.forEach((key, i) => {
    const last = i === place.path.length - 1,
      type = last && !place.value ? place.type : undefined;
    at = at.flatMap((part) => {
      const next = part.properties?.[key] ?? (typeof part.additionalProperties === 'object' ? part.additionalProperties : null);
      return next ? parts(next, schema, type) : [];
    });
  });
  const found = new Map();
  if (place.value) {
    for (const part of at) {
      for (const word of part.enum ?? []) found.set(String(word), part.description ?? '');
      if (part.const !== undefined) found.set(String(part.const), '');
      if (part.default !== undefined && !/[()]/.test(part.default)) found.set(String(part.default), 'what holds without it');
      if ([part.type].flat().includes('boolean')) ['true', 'false'].forEach((w) => found.set(w, ''));
    }
    for (const p of parameters) found.set(`$${p.name}`, p.doc || p.text);
  } else
    for (const part of at)
      for (const [key, value] of Object.entries(part.properties ?? {}))
        if (!found.has(key)) found.set(key, value.description ?? '');
  const word = place.typed.toLowerCase(),
    items = [...found]
      .map(([name, doc]) => ({text: name, doc, insert: place.value ? name : `${name}: `}))
      .filter((item) => item.text.toLowerCase().includes(word) && item.text !== place.typed);
  items.sort((a, b) => b.text.toLowerCase().startsWith(word) - a.text.toLowerCase().startsWith(word));
  return items.length ? {...place, items} : null;
}
