// One record: what is shown, what can be done, and the lists that belong to it.
import { html, Icon, Sheet, toast, effect, useState, useEffect, useRef } from '../shared/ui.js';
import { t } from './text.js';
import { resolve, bind, isGrave, consequenceOf, idsOf, pathOf } from './contract.js';
import { valueName } from './names.js';
import { credentials, send, newKey, Failure } from './client.js';
import { opened } from './find.js';
import { Value, Pairs } from './table.js';
import { OwnList } from './list.js';
import { writeRecord } from './address.js';
import { contract, version, act, finish, address, go } from './state.js';

// The row that was opened last: it is there before the answer with the whole record is. It ends with the credentials.
let last = {};
effect(() => {
  if (!Object.keys(credentials.value).length) last = {};
});
export function open(record, row) {
  last = { key: writeRecord(record), row };
  go({ ...address.value, records: [...address.value.records, record] });
}
export const openRow = (op, row, path) => open(opened(contract.value, op, row, path), row);
export const close = () => go({ ...address.value, records: address.value.records.slice(0, -1) });

const MOST_PAGES = 20;
// A record that no operation reads is found in its list: on the page of the address, or on one of the first.
async function findRow({ op, path, id }, query) {
  const { size, offset, number } = op.pages ?? {},
    length = op.query.find((one) => one.name === size)?.schema.maximum ?? 50,
    ask = async (asked) => (await send(contract.value, op, { path, query: asked })).data,
    within = (all) => all.find((one) => String(one[op.own]) === id);
  const near = query && within(await ask(query));
  if (near) return near;
  for (let n = 0; n < MOST_PAGES; n++) {
    const page = { ...(size && { [size]: length }), ...(offset && { [offset]: n * length }), ...(number && { [number]: n + 1 }) },
      all = await ask(page),
      found = within(all);
    if (found) return found;
    if (all.length < length || !(offset || number)) break;
  }
  throw new Failure({ text: t('gone', { id }) });
}
const takes = (op, ref) => op.path_params.some((one) => one.schema['x-ref'] === ref);
// The operations that can follow: those that the answer links to, and those that take the ids by which the record was read.
function following({ op, path }, record) {
  const links = op.links.map((link) => ({ op: contract.value.operations.get(link.to), at: bind(link, record, path) })),
    ids = op.list ? new Map() : idsOf(op, path),
    own = [...ids.keys()].at(-1),
    surface = contract.value.surfaces.find((one) => one.name === op.surface),
    takers = surface.operations.filter((one) => own && takes(one, own));
  // What is of another record that this one names is done there: here it can only be read.
  const isOwn = (one) => !op.ref || takes(one, op.ref) || (one.method === 'GET' && !one.list);
  const all = [...links, ...takers.map((one) => ({ op: one, at: pathOf(one, ids) }))],
    usable = all.filter((one) => one.op && one.at && one.op.id !== op.id && !one.op.waits && isOwn(one.op));
  return [...new Map(usable.map((one) => [one.op.id, one])).values()];
}
export function Drawer({ entry, query }) {
  const { op, path, id } = entry,
    row = last.key === writeRecord(entry) ? last.row : undefined,
    isWhole = op.list && row !== undefined,
    [state, setState] = useState({ record: row, busy: !isWhole }),
    isLoaded = useRef(isWhole),
    title = useRef();
  version.value;
  useEffect(() => {
    // A row of a list is all that there is.
    if (isLoaded.current) return void (isLoaded.current = false);
    // The answer to a former question may come last.
    let isLast = true;
    const show = (next) => isLast && setState(next);
    (op.list ? findRow(entry, query) : send(contract.value, op, { path }).then(({ data }) => data)).then(
      (record) => show({ record }),
      (error) => show((before) => ({ record: before.record, error })),
    );
    return () => {
      isLast = false;
    };
  }, [version.value]);
  useEffect(() => {
    title.current?.focus();
  }, []);
  const record = state.record,
    all = record ? following(entry, record) : [],
    moves = all.filter((one) => one.op.transitions),
    acts = all.filter((one) => one.op.method !== 'GET' && !one.op.transitions),
    lists = all.filter((one) => one.op.method === 'GET' && one.op.list),
    others = all.filter((one) => one.op.method === 'GET' && !one.op.list);
  const noun = `${op.noun} ${id ?? record?.[op.own] ?? Object.values(path)[0] ?? ''}`,
    name = record?.[op.label];
  return html`<aside class="drawer" aria-label=${noun} aria-busy=${String(!!state.busy)}>
    <header class="row">
      <div class="grow">
        <p class="small quiet">${noun}</p>
        <h2 ref=${title} tabindex="-1">${name ?? noun}</h2>
      </div>
      <button class="button plain icon-only" aria-label=${t('close')} onClick=${close}><${Icon} name="close" /></button>
    </header>
    ${state.error && html`<div class="failure" role="alert"><${Icon} name="alert" /><span>${state.error.text}</span></div>`}
    ${moves.map((one) => html`<${Moves} key=${one.op.id} one=${one} record=${record} noun=${noun} />`)}
    ${
      acts.length > 0 &&
      html`<div class="row wrap acts">
        ${acts.map(
          (one) =>
            html`<button
              key=${one.op.id}
              class=${`button small ${isGrave(one.op) ? 'danger' : ''}`}
              title=${one.op.description}
              onClick=${() =>
                act(one.op, {
                  path: one.at,
                  record,
                  noun: name ? `${noun} · ${name}` : noun,
                  done: () => {
                    if (one.op.method === 'DELETE') close();
                  },
                })}
            >
              <${Icon}
                name=${one.op.method === 'DELETE' ? 'trash' : one.op.secrets.length ? 'key' : one.op.method === 'POST' ? 'plus' : 'edit'}
              />${one.op.title}
            </button>`,
        )}
      </div>`
    }
    ${record ? html`<${Pairs} op=${op} record=${record} />` : !state.error && html`<span class="skeleton"></span>`}
    ${
      others.length > 0 &&
      html`<div class="row wrap">
        ${others.map(
          (one) =>
            html`<button key=${one.op.id} class="button small plain" onClick=${() => open({ op: one.op, path: one.at })}>
              ${one.op.title}<${Icon} name="right" />
            </button>`,
        )}
      </div>`
    }
    ${lists.map(
      (one) =>
        html`<section key=${one.op.id} class="related">
          <h3>${one.op.title}</h3>
          <${OwnList} op=${one.op} path=${one.at} onOpen=${(inner) => openRow(one.op, inner, one.at)} />
        </section>`,
    )}
  </aside>`;
}
function Moves({ one: { op, at }, record, noun }) {
  const member = op.transitions.split('.')[1],
    machine = contract.value.states[op.transitions],
    now = record?.[member],
    schema = resolve(op.doc, op.body?.properties?.[member]),
    name = (value) => valueName(schema, value),
    values = schema.enum ?? [],
    allowed =
      machine?.transitions === 'any' || !machine
        ? values.filter((one) => one !== now)
        : (machine.transitions[now] ?? []).filter((one) => values.includes(one));
  const [asking, ask] = useState(null),
    [busy, setBusy] = useState(false),
    extra = Object.keys(op.body?.properties ?? {}).length > 1,
    final = (to) => machine && machine.transitions !== 'any' && !(machine.transitions[to] ?? []).length,
    consequence = (to) => consequenceOf(op, { [member]: to });
  const move = async (to) => {
    ask(null);
    setBusy(true);
    try {
      const answer = await send(contract.value, op, { path: at, body: { [member]: to }, key: newKey() });
      finish(op, answer);
    } catch (error) {
      toast(error.text, { icon: 'alert', stay: 7000 });
    }
    setBusy(false);
  };
  if (now === undefined) return null;
  return html`<div class="moves">
      <span class="small quiet">${t('moveTo')}</span>
      <div class="row wrap">
        <${Value} value=${now} schema=${schema} /><${Icon}
          name="right"
        />${allowed.map((to) => html`<button key=${to} class="button small" disabled=${busy} onClick=${() => (extra ? act(op, { path: at, record: { ...record, [member]: to }, noun }) : final(to) || consequence(to) ? ask(to) : move(to))}>${name(to)}</button>`)}
      </div>
    </div>
    ${asking && html`<${Sheet} label=${t('sure')} onClose=${() => ask(null)}><div class="inside"><h2>${noun}: ${name(now)} → ${name(asking)}</h2><p class="quiet">${consequence(asking) ?? t('cannotUndo')}</p><button class="button danger main wide" onClick=${() => move(asking)}>${name(asking)}</button><button class="button wide" onClick=${() => ask(null)}>${t('cancel')}</button></div></${Sheet}>`}`;
}
