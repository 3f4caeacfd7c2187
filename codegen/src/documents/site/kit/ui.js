// What both pages are made of: the template tag, icons, fields, sheets, toasts.
import { h, render, Fragment } from './vendor/preact.js';
import { useState, useEffect, useRef, useMemo, useId, useLayoutEffect } from './vendor/hooks.js';
import { signal, computed, effect, batch } from './vendor/signals.js';
import htm from './vendor/htm.js';

// Where the service is: a page is one folder below it, and it may be below another path itself.
export const SERVICE = new URL('..', document.baseURI).pathname.slice(0, -1);

export const html = htm.bind(h);
export { h, render, Fragment, useState, useEffect, useLayoutEffect, useRef, useMemo, useId, signal, computed, effect, batch };

const paths = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M20 20l-4-4',
  pin: 'M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21M12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3 2',
  calendar: 'M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1M4 10h16M8 3v4M16 3v4',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  send: 'M4 12l16-7-5 16-3.5-6.5zM11.5 14.5L20 5',
  chat: 'M4 5h16v11H9l-5 4z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5a3 3 0 0 0 6 0h5',
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  alert: 'M12 8v5M12 16.5v.01M12 3l9.5 17h-19z',
  wifi: 'M3 9a13 13 0 0 1 18 0M6.5 12.5a8 8 0 0 1 11 0M12 17v.01M4 3l16 18',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  out: 'M10 5H5v14h5M14 8l4 4-4 4M18 12H9',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  list: 'M8 6h12M8 12h12M8 18h12M4 6v.01M4 12v.01M4 18v.01',
  key: 'M8 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 11h9M18 11v4',
  more: 'M5 12v.01M12 12v.01M19 12v.01',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  phone: 'M7 3h10v18H7zM11 18h2',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  camera: 'M4 8h4l1.5-3h5L16 8h4v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9v.01',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  download: 'M12 4v11M7 10.5l5 4.5 5-4.5M5 20h14',
  up: 'M7 11v9H4v-9h3l4-7c1.5 0 2.5 1 2.5 2.5L13 10h5.5a2 2 0 0 1 2 2.4l-1.3 6a2 2 0 0 1-2 1.6H7',
  down: 'M7 13V4H4v9h3l4 7c1.5 0 2.5-1 2.5-2.5L13 14h5.5a2 2 0 0 0 2-2.4l-1.3-6a2 2 0 0 0-2-1.6H7',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
};
export const Icon = ({ name, label }) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden=${label ? null : 'true'} role=${label ? 'img' : null} aria-label=${label}>
    <path d=${paths[name]} />
  </svg>`;
export const Mark = () =>
  html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <path
      fill="var(--brand)"
      d="M16 2.5c1.7 0 2.5 1.6 3.1 3.7.7 2.3 1.2 3.9 2.6 4.9 1.3.9 3 .8 5.4.7 2.2-.1 3.9.2 4.4 1.8.5 1.7-.7 2.9-2.5 4.2-1.9 1.4-3.3 2.4-3.8 4-.5 1.5.2 3.1 1 5.3.8 2.1 1 3.8-.3 4.8-1.4 1-3 .2-4.8-1.1-1.9-1.4-3.4-2.3-5.1-2.3s-3.2.9-5.1 2.3c-1.8 1.3-3.4 2.1-4.8 1.1-1.3-1-1.1-2.7-.3-4.8.8-2.2 1.5-3.8 1-5.3-.5-1.6-1.9-2.6-3.8-4C1.2 16.5 0 15.3.5 13.6c.5-1.6 2.2-1.9 4.4-1.8 2.4.1 4.1.2 5.4-.7 1.4-1 1.9-2.6 2.6-4.9.6-2.1 1.4-3.7 3.1-3.7z"
    />
    <circle cx="12.5" cy="16.5" r="1.3" fill="var(--surface)" />
    <circle cx="19.5" cy="16.5" r="1.3" fill="var(--surface)" />
  </svg>`;

// --- toasts ---
const toasts = signal([]);
let serial = 0;
export function toast(text, { icon = 'check', action, act, stay = 4000 } = {}) {
  const item = { id: ++serial, text, icon, action, act };
  toasts.value = [...toasts.value.slice(-1), item];
  setTimeout(() => dismiss(item.id), action ? 8000 : stay);
}
const dismiss = (id) => {
  toasts.value = toasts.value.filter((item) => item.id !== id);
};
export const Toasts = () =>
  html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(
      (item) =>
        html`<div class="toast" key=${item.id}>
          <${Icon} name=${item.icon} /><span>${item.text}</span> ${
            item.action &&
            html`<button
              class="button small plain"
              onClick=${() => {
                dismiss(item.id);
                item.act();
              }}
            >
              ${item.action}
            </button>`
          }
        </div>`,
    )}
  </div>`;

// --- a dialog: at the bottom on a phone, in the middle elsewhere; Esc and the ground close it ---
export function Sheet({ onClose, label, class: extra = '', children }) {
  const dialog = useRef();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    return () =>
      setTimeout(() => {
        // Nothing else has the focus by now.
        if (document.querySelector('dialog[open]') || document.activeElement !== document.body) return;
        if (before?.isConnected && !before.disabled) before.focus();
        else (document.querySelector('.pane-detail h1') ?? document.querySelector('main h1'))?.focus({ preventScroll: true });
      }, 80);
  }, []);
  return html`<dialog
    class=${`sheet ${extra}`}
    ref=${dialog}
    aria-label=${label}
    onCancel=${(event) => {
      event.preventDefault();
      onClose();
    }}
    onPointerDown=${(event) => {
      event.currentTarget.ground = event.target === event.currentTarget;
    }}
    onClick=${(event) => {
      if (event.target === event.currentTarget && event.currentTarget.ground) onClose();
    }}
  >
    ${children}
  </dialog>`;
}

// --- a labelled field with a hint and a fault beside it ---
export function Field({ label, hint, fault, id, optional, children }) {
  return html`<div class="field">
    <label for=${id}>${label}${optional && html` <span class="quiet">${optional}</span>`}</label>${children}
    ${hint && html`<div class="hint" id=${id + '-hint'}>${hint}</div>`}
    ${fault && html`<div class="fault" id=${id + '-fault'} role="alert"><${Icon} name="alert" />${fault}</div>`}
  </div>`;
}
export const describedBy = (id, hint, fault) => [hint && id + '-hint', fault && id + '-fault'].filter(Boolean).join(' ') || null;
export const Switch = ({ on, onChange, label, labelledby }) =>
  html`<button
    type="button"
    class="switch"
    role="switch"
    aria-checked=${String(!!on)}
    aria-label=${label}
    aria-labelledby=${labelledby}
    onClick=${() => onChange(!on)}
  ></button>`;
export const Empty = ({ icon, title, children }) =>
  html`<div class="empty">
    <${Icon} name=${icon} />
    <h2>${title}</h2>
    ${children}
  </div>`;
// Enter while an input method converts must not send: `isComposing`, and 229 for Safari, where compositionend comes first.
export const isComposing = (event) => event.isComposing || event.keyCode === 229;
// What a header of validation errors lists: `headline;length;1;200, skills[2].name;blank`. The place without what is in it,
// which is empty for the whole body, and the text that `word` has for the code and its values.
export const readFaults = (codes, word) =>
  (codes ? codes.split(', ') : []).map((one) => {
    const [place, code, ...values] = one.split(';');
    return [place.split(/[.[]/)[0], word(code, values)];
  });
// Content of strangers has no declared language: say which it probably is, for screen readers and the browser's translation.
export const languageOf = (text) => (/[\u3040-\u30ff\u4e00-\u9fff]/.test(text ?? '') ? 'ja' : 'en');
// A row of buttons is one stop of the Tab key; the arrows go along it.
export function alongRow(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll('button')],
    at = all.indexOf(document.activeElement),
    next = all[Math.max(0, Math.min(all.length - 1, at + step))];
  event.preventDefault();
  for (const one of all) {
    one.tabIndex = one === next ? 0 : -1;
    if (one === next) one.dataset.stop = '1';
    else delete one.dataset.stop;
  }
  next.focus();
}
export const oneStop = (row) => {
  const all = [...(row?.querySelectorAll('button') ?? [])],
    stop = all.find((one) => one.dataset.stop) ?? all[0];
  for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  if (stop) stop.dataset.stop = '1';
};
