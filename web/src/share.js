// SPDX-License-Identifier: MIT
//
// The state of a live page, to be shared: in its address, after the #, or as a page of its own.
import {download} from './export.js';

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** A state as characters that are allowed in an address. */
export async function packState(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const b of bytes) binary += String.fromCharCode(b);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The state in an address; null: there is none, or it is damaged. */
export async function unpackState(hash) {
  const text = /^#lash=([\w-]+)$/.exec(hash)?.[1];
  if (!text) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
    const texts = Object.values(state.settings ?? {});
    return typeof state.name === 'string' && (state.text === undefined || typeof state.text === 'string') && texts.every((t) => typeof t === 'string')
      ? state
      : null;
  } catch {
    return null;
  }
}

/** JSON in which nothing can end the element around it. */
const inert = (value) =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Must be called before the page changes itself; returns a function that saves it with other data. */
export function rememberPage() {
  const comments = [...document.childNodes].filter((n) => n.nodeType === Node.COMMENT_NODE).map((n) => `<!--${n.data}-->`),
    copy = document.documentElement.cloneNode(true);
  return (name, title, data) => {
    const page = copy.cloneNode(true);
    page.querySelector('#lash-data').textContent = inert(data);
    page.querySelector('title').textContent = title;
    download(name, `<!DOCTYPE html>\n${comments.join('\n')}\n${page.outerHTML}\n`, 'text/html');
  };
}
