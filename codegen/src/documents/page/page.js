// Adds the viewer of operations to the page, and puts the address of this server into the first calls.
'use strict';

const asked = fetch(document.getElementById('viewer').dataset.document).then((answer) => answer.json());
// The viewer's style sheet loads while the page is already readable. It comes before the page's own, which overrides it.
const looks = document.createElement('link');
const dressed = new Promise((done) => looks.addEventListener('load', done));
looks.rel = 'stylesheet';
looks.href = document.getElementById('looks').href;
document.getElementById('looks').before(looks);

const dark = matchMedia('(prefers-color-scheme: dark)');

// The viewer has a class for its dark theme. The page follows the setting of the system.
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// Leaves out what the page shows elsewhere, because the viewer is slow with long texts. Optional parameters have no example
// value, so that an unchanged call finds something.
function forViewer(contract) {
  delete contract.info.description;
  withoutExtensions(contract);
  for (const path of Object.values(contract.paths)) {
    withoutExtensions(path);
    for (const operation of Object.values(path)) {
      withoutExtensions(operation);
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
    docExpansion: 'list',
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

// Opens the operation of the address, `#operation-NAME`. The id that the viewer gives it ends with `-NAME`.
function find() {
  const name = /^#operation-(\w+)$/.exec(location.hash)?.[1];
  const block = name && document.querySelector(`.opblock[id$="-${name}"]`);
  if (!block) return;
  const opener = block.querySelector('.opblock-summary-control');
  if (!block.classList.contains('is-open')) opener.click();
  block.scrollIntoView();
  opener.focus({ preventScroll: true });
}
window.addEventListener('hashchange', find);

document.addEventListener('DOMContentLoaded', () => {
  const server = new URL('.', location).href.replace(/\/$/, '');
  for (const place of document.querySelectorAll('[data-server]')) place.textContent = server;
  // Not every browser moves the focus when the address changes.
  const content = document.getElementById('content');
  document.querySelector('.skip').addEventListener('click', () => content.focus());
  Promise.all([asked, dressed]).then(([contract]) => view(contract));
});
