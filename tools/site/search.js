// SPDX-License-Identifier: MIT
//
// Search through all pages: sections that hold every word, those with a word in the heading first.
const root = document.currentScript.dataset.root,
  field = document.getElementById('search'),
  list = document.getElementById('found');

function find(words) {
  return searchIndex
    .map((s) => ({...s, worth: words.every((w) => s.low.includes(w)) ? words.reduce((n, w) => n + (s.heading.toLowerCase().includes(w) ? 20 : 0) + s.low.split(w).length, 0) : 0}))
    .filter((s) => s.worth)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, 20);
}
searchIndex.forEach((s) => (s.low = `${s.heading} ${s.text}`.toLowerCase()));
field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/).filter((w) => w.length > 1),
    found = words.length ? find(words) : [];
  list.replaceChildren(
    ...found.map((s) => {
      const item = document.createElement('li'),
        link = document.createElement('a'),
        excerpt = document.createElement('span'),
        at = Math.max(0, s.text.toLowerCase().indexOf(words[0]) - 60);
      link.href = `${root}${s.page}`;
      link.textContent = s.heading;
      excerpt.textContent = `${at ? '… ' : ''}${s.text.slice(at, at + 180)} …`;
      item.append(link, excerpt);
      return item;
    }),
  );
  list.hidden = !words.length;
  if (words.length && !found.length) list.append(Object.assign(document.createElement('li'), {textContent: 'Nothing was found.'}));
});
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
