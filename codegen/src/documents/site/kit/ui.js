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
  pin: 'M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.500C5 14.800 12 21 12 21M12 12a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3 2',
  calendar: 'M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1M4 10h16M8 3v4M16 3v4',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M2.500 20a6.500 6.500 0 0 1 13 0M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500a6.500 6.500 0 0 1 3.500 5.500',
  send: 'M4 12l16-7-5 16-3.500-6.500zM11.500 14.500L20 5',
  chat: 'M4 5h16v11H9l-5 4z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5a3 3 0 0 0 6 0h5',
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  alert: 'M12 8v5M12 16.500v.01M12 3l9.500 17h-19z',
  wifi: 'M3 9a13 13 0 0 1 18 0M6.500 12.500a8 8 0 0 1 11 0M12 17v.01M4 3l16 18',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
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
  camera: 'M4 8h4l1.500-3h5L16 8h4v11H4zM12 16.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9v.01',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  download: 'M12 4v11M7 10.500l5 4.500 5-4.500M5 20h14',
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
      d="M16 2.500c1.700 0 2.500 1.600 3.100 3.700.7 2.300 1.200 3.900 2.600 4.900 1.300.9 3 .8 5.400.7 2.200-.1 3.900.2 4.400 1.800.5 1.700-.7 2.900-2.500 4.200-1.900 1.400-3.300 2.400-3.800 4-.5 1.500.2 3.100 1 5.300.8 2.100 1 3.800-.3 4.800-1.400 1-3 .2-4.800-1.100-1.900-1.400-3.400-2.300-5.100-2.300s-3.200.9-5.100 2.300c-1.800 1.300-3.400 2.100-4.800 1.100-1.300-1-1.100-2.700-.3-4.800.8-2.200 1.500-3.800 1-5.300-.5-1.600-1.900-2.600-3.800-4C1.200 16.500 0 15.300.5 13.600c.5-1.600 2.200-1.900 4.400-1.800 2.400.1 4.100.2 5.400-.7 1.400-1 1.900-2.600 2.600-4.900.6-2.100 1.400-3.700 3.100-3.700z"
    />
    <circle cx="12.500" cy="16.500" r="1.300" fill="var(--surface)" />
    <circle cx="19.500" cy="16.500" r="1.300" fill="var(--surface)" />
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
        if (document.querySelector('dialog[open]')) return;
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
