// The frame: sign in, navigation, pages of resources.
import { html, render, Icon, Sheet, Field, describedBy, Empty, Toasts, toast, useState, useEffect, useRef, useId } from '../shared/ui.js';
import { t } from './text.js';
import { resolve, isGrave, readId } from './contract.js';
import { textOf, nameOf } from './names.js';
import { askWith, forgetStated } from './units.js';
import { credentials, keep, unlocked, forgetAll, send } from './client.js';
import { write, writeRecord } from './address.js';
import { contract, broken, form, secret, version, address, go, act, finish } from './state.js';
import { Form } from './form.js';
import { Pairs } from './table.js';
import { List, Broken } from './list.js';
import { Drawer, open, openRow, close } from './drawer.js';
import { Search } from './search.js';
import { Overview } from './overview.js';

const probe = (surface) =>
  surface.operations.find((op) => op.method === 'GET' && !op.path_params.length && !op.waits) ??
  surface.operations.find((op) => op.method === 'GET' && op.path_params.length);
async function enter(surface, value) {
  const op = probe(surface);
  if (op)
    try {
      await send(contract.value, op, {
        credential: value,
        path: Object.fromEntries(op.path_params.map((one) => [one.name, 1])),
        query: {},
      });
    } catch (error) {
      if ([401, 403, 429].includes(error.status) || error.code === 'network') throw error;
    }
  keep(surface.scheme, value);
}
function Credential({ surface, onDone }) {
  const scheme = contract.value.schemes[surface.scheme],
    prefix = scheme['x-prefix'],
    [value, setValue] = useState(''),
    [fault, setFault] = useState(null),
    [busy, setBusy] = useState(false),
    id = useId();
  const submit = async (event) => {
    event.preventDefault();
    if (!value.trim()) return setFault(t('required'));
    setBusy(true);
    try {
      await enter(surface, value.trim());
      onDone?.();
    } catch (error) {
      setBusy(false);
      setFault(t('rejected', { text: error.text }));
      document.getElementById(id)?.focus();
    }
  };
  const text = textOf(scheme),
    hint = (text ? text.doc : scheme.description?.split('\n')[0])?.replace(/`/g, ''),
    name = text ? `${text.name} (${scheme.name})` : t('credential', { header: scheme.name });
  return html`<form class="credential" onSubmit=${submit} novalidate><${Field} label=${name} id=${id} hint=${hint} fault=${fault}><input class="input code" id=${id} type="password" autocomplete="off" spellcheck=${false} placeholder=${prefix ? prefix + '…' : ''} value=${value} aria-invalid=${fault ? 'true' : null} aria-describedby=${describedBy(id, hint, fault)} onInput=${(
    event,
  ) => {
    setValue(event.target.value);
    setFault(null);
  }} /></${Field}><button class="button main" disabled=${busy}>${t('enter')}</button></form>`;
}
function SignIn() {
  const doors = contract.value.surfaces.filter((one) => one.scheme),
    [chosen, choose] = useState(
      // That of the address, or of those who run the service.
      (doors.find((one) => one === address.value.surface) ?? doors.find((one) => one.isPrimary))?.name,
    ),
    surface = doors.find((one) => one.name === chosen);
  return html`<main class="sign-in">
    <div class="sign-in-card">
      <h1>${contract.value.title}</h1>
      <p class="quiet">${t('signInNote')}</p>
      <div class="segments" role="group">
        ${doors.map((one) => html`<button key=${one.name} aria-pressed=${String(one.name === chosen)} onClick=${() => choose(one.name)}>${one.title}</button>`)}
      </div>
      <${Credential} key=${chosen} surface=${surface} />
    </div>
  </main>`;
}

function Secret({ value: { op, shown, data } }) {
  const copy = (text) => {
    const ok = () => toast(t('copied'));
    if (navigator.clipboard) return navigator.clipboard.writeText(text).then(ok);
    const area = document.querySelector('.secret-value');
    getSelection().selectAllChildren(area);
    document.execCommand('copy');
    ok();
  };
  return html`<${Sheet} label=${t('secretTitle')} onClose=${() => {}}><div class="inside"><h2>${t('secretTitle')}</h2><p class="warning"><${Icon} name="key" /><span>${t('secretNote')}</span></p>
    ${shown.map(
      ([name, value]) =>
        html`<div class="field" key=${name}>
          <span class="label">${nameOf(name, op.item?.properties[name])}</span>
          <div class="row">
            <code class="secret-value grow" tabindex="0">${value}</code
            ><button class="button" onClick=${() => copy(value)}><${Icon} name="copy" />${t('copy')}</button>
          </div>
        </div>`,
    )}
    ${Object.keys(data).length > shown.length && html`<${Pairs} op=${op} record=${Object.fromEntries(Object.entries(data).filter(([name]) => !shown.some(([one]) => one === name)))} />`}
    <button class="button main wide" onClick=${() => {
      secret.value = null;
    }}>${t('saved')}</button></div></${Sheet}>`;
}

// --- one resource ---
// The id of the row that is open, if it is one of this list.
const titleOf = (resource) =>
  resource.isService ? t('service') : resource.lists.length || resource.lookups.length ? resource.title : resource.one;
const chosenOf = (list, record) => record?.op.tag === list.tag && (record.id ?? Object.values(record.path)[0]);
function Resource({ resource, list, query, records }) {
  const show = (next) => go({ ...address.value, ...next });
  return html`<header class="head">
      <div class="grow">
        <h1 tabindex="-1">${titleOf(resource)}</h1>
        ${resource.description && html`<p class="quiet">${resource.description}</p>`}
      </div>
      <div class="row wrap">
        ${resource.makes.filter((op) => op.method === 'POST').map((op, n) => html`<button key=${op.id} class=${`button ${n ? '' : 'main'}`} title=${op.description} onClick=${() => act(op)}><${Icon} name="plus" />${op.title}</button>`)}
      </div>
    </header>
    ${resource.lists.length > 1 && html`<div class="segments inline" role="group" aria-label=${resource.title}>${resource.lists.map((op) => html`<button key=${op.id} aria-pressed=${String(op === list)} onClick=${() => show({ list: op, query: {}, records: [] })}>${op.title}</button>`)}</div>`}
    ${list && html`<${List} key=${list.id} op=${list} path=${{}} query=${query} onQuery=${(next) => show({ query: next, records: [] })} chosen=${chosenOf(list, records.at(-1))} onOpen=${(row) => openRow(list, row, {})} />`}
    ${resource.singles.map((op) => html`<${Single} key=${op.id} op=${op} changes=${resource.makes.filter((one) => one.method === 'PATCH' || one.method === 'PUT')} />`)}
    ${resource.lookups.length > 0 && html`<${LookUp} resource=${resource} />`}
    ${
      !list &&
      !resource.lookups.length &&
      resource.orphans.length > 0 &&
      html`<div class="panel pad">
        <h2>${t('more')}</h2>
        <div class="row wrap">
          ${resource.orphans.map((op) => html`<button key=${op.id} class=${`button ${isGrave(op) ? 'danger' : ''}`} onClick=${() => act(op)}>${op.title}</button>`)}
        </div>
      </div>`
    }`;
}
function Single({ op, changes }) {
  const [state, setState] = useState({});
  version.value;
  const load = () =>
    send(contract.value, op).then(
      ({ data }) => setState({ data }),
      (error) => setState({ error }),
    );
  useEffect(() => {
    load();
  }, [version.value, credentials.value[op.scheme]]);
  return html`<section class="panel pad">
    ${
      state.error
        ? html`<${Broken} error=${state.error} again=${load} />`
        : state.data
          ? html`<div class="row">
                <h2 class="grow">${op.summary}</h2>
                ${changes.map((one) => html`<button key=${one.id} class="button small" onClick=${() => act(one, { record: state.data })}><${Icon} name="edit" />${one.title}</button>`)}
              </div>
              <${Pairs} op=${op} record=${state.data} />`
          : html`<span class="skeleton"></span>`
    }
  </section>`;
}
function LookUp({ resource }) {
  const [value, setValue] = useState(''),
    [fault, setFault] = useState(null),
    op = resource.lookups[0],
    isText = op.path_params[0].schema.type === 'string',
    id = useId();
  const submit = async (event) => {
    event.preventDefault();
    const text = readId(value);
    if (!text) return setFault(t(isText ? 'pattern' : 'integer'));
    const path = { [op.path_params[0].name]: text },
      asked = address.value;
    try {
      await send(contract.value, op, { path });
      if (address.value === asked) open({ op, path });
    } catch (error) {
      setFault(error.text);
    }
  };
  return html`<section class="panel pad"><form class="look-up" onSubmit=${submit} novalidate><${Field} label=${t('look')} id=${id} hint=${t('lookHint')} fault=${fault}><div class="row"><input id=${id} class="input" inputmode=${isText ? 'text' : 'numeric'} value=${value} aria-invalid=${fault ? 'true' : null} aria-describedby=${describedBy(id, true, fault)} onInput=${(
    event,
  ) => {
    setValue(event.target.value);
    setFault(null);
  }} /><button class="button">${t('open')}</button></div></${Field}></form></section>`;
}

// What a surface says of the service in numbers: without an id, and with objects in it.
const numbersOf = ({ isPrimary, resources }) =>
  resources.flatMap(({ singles }) => singles).filter(({ doc, item }) => {
    const isObject = (raw) => {
      const schema = resolve(doc, raw);
      return (schema.type === 'array' ? resolve(doc, schema.items) : schema).properties !== undefined;
    };
    return isPrimary && Object.values(item.properties ?? {}).some(isObject);
  });
const Notice = ({ icon, title, children }) =>
  html`<div class="empty">
    <${Icon} name=${icon} />
    <h1 tabindex="-1">${title}</h1>
    ${children}
  </div>`;
function Frame() {
  const { surface, resource, list, query, records, wrong } = address.value,
    entry = records?.at(-1),
    main = useRef(),
    [asking, ask] = useState(null);
  useEffect(() => {
    if (!entry) main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [surface, resource, wrong?.key]);
  useEffect(() => {
    const escape = (event) => {
      if (event.key === 'Escape' && address.value.records?.length && !document.querySelector('dialog[open]')) close();
    };
    addEventListener('keydown', escape);
    return () => removeEventListener('keydown', escape);
  }, []);
  const order = Object.keys(credentials.value),
    rank = (one) => (one.scheme ? order.indexOf(one.scheme) : order.length),
    // A public surface without anything to read is for programs.
    reads = (one) => one.scheme || one.resources.some((item) => item.lists.length || item.singles.length || item.lookups.length),
    ready = contract.value.surfaces.filter((one) => unlocked(one) && reads(one)).sort((a, b) => rank(a) - rank(b)),
    closed = contract.value.surfaces.filter((one) => !unlocked(one)),
    isOpen = surface && unlocked(surface);
  return html`<a
      class="skip"
      href="#main"
      onClick=${(event) => {
        event.preventDefault();
        main.current.focus();
      }}
      >${t('skip')}</a
    >
    <div class="shell">
      <nav class="side" aria-label=${contract.value.title}>
        <div class="side-top">
          <b>${contract.value.title}</b
          ><span class="small quiet number">${t('contract', { version: contract.value.version })}</span>
        </div>
        <a href="#/" aria-current=${surface || wrong ? null : 'page'}><${Icon} name="chart" />${t('overview')}</a>
        ${ready.map(
          (one) =>
            html`<div key=${one.name} class="side-group">
              <h2 class="small">${one.title}</h2>
              ${one.resources.map((item) => html`<a key=${item.name} href=${write({ surface: one, resource: item })} aria-current=${item === resource ? 'page' : null}>${titleOf(item)}</a>`)}
            </div>`,
        )}
        ${
          closed.length > 0 &&
          html`<div class="side-group">
            <h2 class="small">${t('others')}</h2>
            ${closed.map((one) => html`<button key=${one.name} onClick=${() => ask(one)}><${Icon} name="lock" />${one.title}</button>`)}
          </div>`
        }
        <span class="grow"></span
        ><button
          onClick=${() => {
            forgetAll();
            forgetStated();
            go({});
          }}
        >
          <${Icon} name="out" />${t('signOut')}
        </button>
      </nav>
      <div class="middle">
        <${Search} />
        <main id="main" ref=${main} tabindex="-1" class=${entry ? 'with-drawer' : ''}>
          ${
            wrong
              ? html`<${Notice} icon="alert" title=${t('unknownAddress')}><p>${t(wrong.key, wrong.values)}</p><a class="button" href="#/">${t('overview')}</a></${Notice}>`
              : !resource
                ? html`<${Overview} contract=${contract.value} ready=${ready} />
                    ${ready.flatMap(numbersOf).map((op) => html`<${Single} key=${op.id} op=${op} changes=${[]} />`)}`
                : isOpen
                  ? html`<${Resource}
                      key=${surface.name + resource.name}
                      resource=${resource}
                      list=${list}
                      query=${query}
                      records=${records}
                    />`
                  : html`<${Notice} icon="lock" title=${t('locked')}><${Credential} surface=${surface} /></${Notice}>`
          }
        </main>
      </div>
      ${entry && isOpen && html`<${Drawer} key=${records.map(writeRecord).join('/')} entry=${entry} query=${records.length === 1 && entry.op === list && query} />`}
    </div>
    ${
      asking &&
      html`<${Sheet} label=${t('add')} onClose=${() => ask(null)}><div class="inside"><h2>${asking.title}</h2>${asking.description && html`<p class="quiet small">${asking.description}</p>`}<${Credential} surface=${asking} onDone=${() => {
        ask(null);
        go({ surface: asking, resource: asking.resources[0] });
      }} /></div></${Sheet}>`
    }`;
}
askWith((id) => send(contract.peek(), contract.peek().operations.get(id)).then(({ data }) => data));
function App() {
  if (broken.value) return html`<${Empty} icon="alert" title="/openapi.json"><p>${broken.value.message}</p></${Empty}>`;
  if (!contract.value) return html`<div class="loading"><span class="skeleton"></span></div>`;
  const inside = Object.keys(credentials.value).length > 0 || contract.value.surfaces.every((one) => !one.scheme);
  return html`${inside ? html`<${Frame} />` : html`<${SignIn} />`}
    ${
      form.value &&
      html`<${Form}
        key=${form.value.op.id}
        contract=${contract.value}
        ...${form.value}
        onDone=${(answer) => finish(form.value.op, answer, form.value.done)}
        onClose=${() => {
          form.value = null;
        }}
      />`
    }
    ${secret.value && html`<${Secret} value=${secret.value} />`}<${Toasts} />`;
}
render(html`<${App} />`, document.getElementById('app'));
