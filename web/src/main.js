// SPDX-License-Identifier: MIT
//
// Reads the data in the page and builds the rest of it.
import './style.css';
import {element} from './dom.js';
import {livePage} from './live_page.js';
import {resultPage} from './result_page.js';
import {studyPage} from './study_page.js';

const raw = JSON.parse(document.getElementById('lash-data').textContent);
const pages = {study: studyPage, live: livePage};
const {page, ready} = (pages[raw.kind] ?? resultPage)(raw);
document
  .getElementById('page')
  .append(
    ...page.filter(Boolean),
    element('footer', `Made by Lash ${raw.version}. This page is complete in itself and loads nothing.`),
  );
ready();
