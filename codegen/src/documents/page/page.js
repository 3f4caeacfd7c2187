// Adds the viewer of operations to the page, puts the address of this server into the first calls, finds operations in the menu,
// and cuts long tables on narrow screens.
'use strict';

const asked = fetch(document.getElementById('viewer').dataset.document).then((answer) => answer.json());
// The viewer's style sheet loads while the page is already readable.
const looks = document.createElement('link');
const dressed = new Promise((done) => looks.addEventListener('load', done));
looks.rel = 'stylesheet';
looks.href = document.getElementById('looks').href;
document.head.append(looks);

const narrow = matchMedia('(max-width: 47.99rem)');
const dark = matchMedia('(prefers-color-scheme: dark)');

// The viewer has a class for its dark theme. The page follows the setting of the system.
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// The group of each operation in the viewer.
const tags = new Map();

// Leaves out what the page shows elsewhere, because the viewer is slow with long texts. Optional parameters have no example
// value, so that an unchanged call finds something.
function forViewer(contract) {
  delete contract.info.description;
  withoutExtensions(contract);
  for (const path of Object.values(contract.paths)) {
    withoutExtensions(path);
    for (const operation of Object.values(path)) {
      withoutExtensions(operation);
      tags.set(operation.operationId, operation.tags?.[0]);
      for (const parameter of operation.parameters ?? []) {
        if (!parameter.required) delete parameter.example;
      }
    }
  }
  return contract;
}

function withoutExtensions(part) {
  for (const name of Object.keys(part)) {
    if (name.startsWith('x-')) delete part[name];
  }
}

// Resolves all references. The document refers only to its own parts, without cycles. This takes a hundredth of the time of
// the viewer's own resolver, which could also call other servers.
function resolveSubtree(contract, path) {
  const at = (names) => names.reduce((part, name) => part?.[name], contract);
  const whole = (part) => {
    if (Array.isArray(part)) return part.map(whole);
    if (part === null || typeof part !== 'object') return part;
    const { $ref, ...own } = part;
    const members = Object.entries(own).map(([name, value]) => [name, whole(value)]);
    return { ...($ref && whole(at($ref.split('/').slice(1)))), ...Object.fromEntries(members) };
  };
  return { spec: whole(at(path)), errors: [] };
}

function view(contract) {
  const place = document.getElementById('viewer');
  const nothing = () => () => null;
  new MutationObserver(mend).observe(place, { childList: true, subtree: true });
  window.SwaggerUIBundle({
    spec: forViewer(contract),
    domNode: place,
    // On narrow screens only the groups.
    docExpansion: narrow.matches ? 'none' : 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    // The page sends only the calls that the reader tries, and stores no credential.
    validatorUrl: null,
    persistAuthorization: false,
    queryConfigEnabled: false,
    plugins: [{ fn: { resolveSubtree }, wrapComponents: { InfoContainer: nothing, ServersContainer: nothing } }],
    onComplete: () => {
      document.getElementById('listed').remove();
      place.hidden = false;
      find();
    },
  });
}

// Makes the viewer accessible: the page has a `main` element already, each choice needs a label, and the keyboard must reach
// each element that scrolls.
function mend() {
  document.querySelector('#viewer main')?.setAttribute('role', 'group');
  for (const choice of document.querySelectorAll('#viewer select:not([aria-label])')) {
    choice.setAttribute('aria-label', choice.closest('[data-param-name]')?.dataset.paramName ?? 'Choose what to show');
  }
  for (const body of document.querySelectorAll('#viewer textarea:not([aria-label])')) body.setAttribute('aria-label', 'Request body');
  for (const part of document.querySelectorAll('.opblock [role=region]:not([aria-label])')) {
    const of = (name) => part.closest('.opblock').querySelector(name).textContent;
    part.setAttribute('aria-label', `Responses to ${of('.opblock-summary-method')} ${of('.opblock-summary-path')}`);
  }
  for (const text of document.querySelectorAll('#viewer pre:not([tabindex])')) text.tabIndex = 0;
  const dialog = document.querySelector('#viewer .modal-ux:not([data-begun])');
  if (dialog) begin(dialog);
}

// The viewer focuses the last credential. A new reader needs the first one.
function begin(dialog) {
  dialog.dataset.begun = '';
  const first = dialog.querySelector('input');
  first?.focus({ preventScroll: true });
  first?.closest('.auth-container').scrollIntoView({ block: 'nearest' });
}

// Shows what the address names: a row of a table that is cut, or an operation, `#operation-NAME`. The id that the viewer gives it ends
// with `-NAME`. It is there only while its group is open.
async function find() {
  const row = document.querySelector('.cut :target');
  if (row) {
    row.closest('.cut').classList.remove('cut');
    row.scrollIntoView();
  }
  const name = /^#operation-(\w+)$/.exec(location.hash)?.[1];
  if (!tags.has(name)) return;
  const found = () => document.querySelector(`.opblock[id$="-${name}"]`);
  if (!found()) document.querySelector(`.opblock-tag[data-tag="${CSS.escape(tags.get(name))}"][data-is-open="false"]`)?.click();
  for (let frames = 60; !found() && frames > 0; frames -= 1) await new Promise(requestAnimationFrame);
  const block = found();
  if (!block) return;
  const opener = block.querySelector('.opblock-summary-control');
  if (!block.classList.contains('is-open')) opener.click();
  block.scrollIntoView();
  opener.focus({ preventScroll: true });
}
window.addEventListener('hashchange', find);

// The field of the menu leaves the operations that have all its words in their method, path or summary.
function menu() {
  const index = document.getElementById('index');
  const field = document.getElementById('find');
  const entries = [...index.querySelectorAll('li')].map((entry) => [entry, entry.textContent.toLowerCase()]);
  field.hidden = false;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [entry, text] of entries) entry.hidden = !words.every((word) => text.includes(word));
    for (const group of index.querySelectorAll('div')) group.hidden = !group.querySelector('li:not([hidden])');
    const left = entries.filter(([entry]) => !entry.hidden).length;
    document.getElementById('found').textContent = words.length ? `${left} of ${entries.length} operations` : '';
  });
  index.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link && index.matches(':popover-open')) index.hidePopover();
    // The address does not change if it named this operation before.
    if (link?.hash === location.hash) find();
  });
}

// A long table has a button that shows all its rows.
function cut(table) {
  const rows = table.tBodies[0].rows.length;
  if (rows <= 5) return;
  const all = document.createElement('button');
  all.type = 'button';
  all.className = 'button small more';
  all.textContent = `Show all ${rows}`;
  all.addEventListener('click', () => table.classList.remove('cut'));
  table.classList.add('cut');
  table.after(all);
}

document.addEventListener('DOMContentLoaded', () => {
  menu();
  document.querySelectorAll('main table').forEach(cut);
  const server = new URL('.', location).href.replace(/\/$/, '');
  for (const place of document.querySelectorAll('[data-server]')) place.textContent = server;
  // Not every browser moves the focus when the address changes.
  const content = document.getElementById('content');
  document.querySelector('.skip').addEventListener('click', () => content.focus());
  Promise.all([asked, dressed]).then(([contract]) => view(contract));
});
