// What the page does beyond what stands in it: the viewer of operations, and the address of this server in the first calls.
'use strict';

const asked = fetch(document.getElementById('viewer').dataset.document).then((answer) => answer.json());
// The viewer's looks, which come while the page can be read already. The page's own have the last word.
const looks = document.createElement('link');
const dressed = new Promise((done) => looks.addEventListener('load', done));
looks.rel = 'stylesheet';
looks.href = document.getElementById('looks').href;
document.getElementById('looks').before(looks);

const dark = matchMedia('(prefers-color-scheme: dark)');

// The viewer is dark by a class, the page by the reader's system.
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// What stands elsewhere on the page is not said again: the viewer takes its time with each word. And a parameter that may
// be left out is empty: a call that is tried as it stands should find something.
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

// The document refers to nothing but its own parts, and no part to itself: they are put in here, in a hundredth of the time
// that the viewer's own way would take, which could also ask other servers.
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
    // Nothing leaves this page but calls that are tried, and no key outlives it.
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

// For those who do not see the page, or have no mouse: it has a main part already, a choice has a name, and what scrolls is
// reached by the keyboard.
function mend() {
  document.querySelector('#viewer main')?.setAttribute('role', 'group');
  for (const choice of document.querySelectorAll('#viewer select:not([aria-label])')) {
    choice.setAttribute('aria-label', choice.closest('[data-param-name]')?.dataset.paramName ?? 'Which one is shown');
  }
  for (const body of document.querySelectorAll('#viewer textarea:not([aria-label])')) body.setAttribute('aria-label', 'The body');
  for (const part of document.querySelectorAll('.opblock [role=region]:not([aria-label])')) {
    const of = (name) => part.closest('.opblock').querySelector(name).textContent;
    part.setAttribute('aria-label', `Answers to ${of('.opblock-summary-method')} ${of('.opblock-summary-path')}`);
  }
  for (const text of document.querySelectorAll('#viewer pre:not([tabindex])')) text.tabIndex = 0;
  const dialog = document.querySelector('#viewer .modal-ux:not([data-begun])');
  if (dialog) begin(dialog);
}

// The viewer gives the focus to the last of the credentials that can be put in. Who comes anew needs the first one.
function begin(dialog) {
  dialog.dataset.begun = '';
  const first = dialog.querySelector('input');
  first?.focus({ preventScroll: true });
  first?.closest('.auth-container').scrollIntoView({ block: 'nearest' });
}

// Links lead to `#operation-NAME`. The viewer has a name of its own for it, which ends alike.
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
  // Not every browser moves the focus along with the address.
  const content = document.getElementById('content');
  document.querySelector('.skip').addEventListener('click', () => content.focus());
  Promise.all([asked, dressed]).then(([contract]) => view(contract));
});
