// A form made from the schema of a request body. Only what differs from the record is sent in a change.
import { html, Icon, Sheet, Field, Switch, describedBy, useState, useRef } from '../shared/ui.js';
import { t } from './text.js';
import { resolve, check, consequenceOf, isGrave, renews, readId, idValue, idsOf } from './contract.js';
import { nameOf, docOf, valueName, valueDoc } from './names.js';
import { unitName } from './units.js';
import { send, newKey, Failure } from './client.js';
import { Picker, PickerOfMany, canFind } from './picker.js';

const kindOf = (doc, schema) => {
  if (schema['x-ref']) return 'id';
  if (schema.enum) return 'choice';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string') return schema.format === 'date' ? 'date' : schema['x-multiline'] ? 'text' : 'line';
  if (schema.type === 'array') {
    const item = resolve(doc, schema.items);
    if (item['x-ref']) return 'ids';
    return item.type === 'string'
      ? 'lines'
      : item.properties &&
          Object.values(item.properties).length <= 5 &&
          Object.values(item.properties).every((one) => /^(string|integer|number|boolean)$/.test(resolve(doc, one).type))
        ? 'rows'
        : 'json';
  }
  return 'json';
};
const isMany = (kind) => ['rows', 'lines', 'ids'].includes(kind);
const toText = (kind, value) =>
  value === undefined || value === null
    ? kind === 'rows' || kind === 'ids'
      ? []
      : ''
    : kind === 'lines'
      ? value.join('\n')
      : kind === 'json'
        ? JSON.stringify(value, null, 1)
        : kind === 'number' || kind === 'id'
          ? String(value)
          : value;
function fromText(kind, value) {
  if (kind === 'id') return value.trim() === '' ? undefined : idValue(readId(value) ?? value);
  if (kind === 'number') return value.trim() === '' ? undefined : Number(value.normalize('NFKC').replace(/,/g, ''));
  if (kind === 'lines')
    return value.trim()
      ? value
          .split('\n')
          .map((one) => one.trim())
          .filter(Boolean)
      : [];
  if (kind === 'json') {
    if (!value.trim()) return undefined;
    try {
      return JSON.parse(value);
    } catch {
      return new SyntaxError();
    }
  }
  return value === '' ? undefined : value;
}
const limits = (schema) =>
  [
    schema.minimum !== undefined && schema.maximum < 2 ** 53 - 1 && `${schema.minimum}–${schema.maximum.toLocaleString()}`,
    schema.maxItems && `≤ ${schema.maxItems}`,
  ]
    .filter(Boolean)
    .join(' · ');

const PATH = 'path.';
export function Form({ contract, op, path, record, noun, onDone, onClose }) {
  const members = Object.entries(op.body?.properties ?? {}).map(([name, raw]) => {
    const schema = resolve(op.doc, raw);
    return { name, schema, kind: kindOf(op.doc, schema), required: op.body.required?.includes(name) };
  });
  const changing = op.method === 'PATCH' || op.method === 'PUT',
    initial = Object.fromEntries(
      members.map(({ name, schema, kind }) => [
        name,
        kind === 'switch'
          ? (record?.[name] ?? schema.default ?? (changing ? null : false))
          : toText(kind, changing ? record?.[name] : schema.default),
      ]),
    );
  const missing = op.path_params
      .filter((one) => path[one.name] === undefined)
      .map(({ name, schema }) => ({ name, schema, kind: kindOf(op.doc, schema) })),
    [where, setWhere] = useState({});
  const [value, setValue] = useState(initial),
    [faults, setFaults] = useState({}),
    [failure, setFailure] = useState(null),
    [busy, setBusy] = useState(false),
    key = useRef(newKey()),
    form = useRef();
  // The ids that are known: those of the record, and those that are filled in.
  const filledIn = Object.fromEntries(Object.entries(where).map(([name, one]) => [name, readId(one) ?? undefined])),
    known = { surface: op.surface, ids: idsOf(op, { ...path, ...filledIn }) };
  // What is wrong with a value, for people.
  const faultOf = (kind, schema, value, required) => {
    const wrong = check(op.doc, schema, value, required),
      isPicked = /^ids?$/.test(kind) && canFind(contract, resolve(op.doc, schema.items ?? schema), known);
    return wrong && (isPicked && wrong[0] === 'number' ? t('pick') : t(...wrong));
  };
  const put = (name, next) => {
    setValue((before) => ({ ...before, [name]: next }));
    setFaults((before) => ({ ...before, [name]: null }));
  };
  const show = (found) => {
    setFaults(found);
    requestAnimationFrame(() => form.current?.querySelector('[aria-invalid=true]')?.focus());
  };
  const submit = async (event) => {
    event.preventDefault();
    setFailure(null);
    const body = {},
      found = {};
    const places = { ...path };
    for (const { name, schema, kind } of missing) {
      const next = fromText(kind, where[name] ?? ''),
        wrong = faultOf(kind, schema, next, true);
      if (wrong) found[PATH + name] = wrong;
      else places[name] = next;
    }
    for (const { name, schema, kind, required } of members) {
      const next = kind === 'switch' || kind === 'rows' ? value[name] : fromText(kind, value[name]);
      if (next instanceof SyntaxError) {
        found[name] = t('json');
        continue;
      }
      const same = changing && JSON.stringify(value[name]) === JSON.stringify(initial[name]);
      if (same && !required) continue;
      if (next === undefined || next === null || (isMany(kind) && !next.length && !changing && !required)) {
        if (changing && !same && schema.nullable) body[name] = null;
        else if (required || (changing && !same)) {
          const wrong = faultOf(kind, schema, isMany(kind) ? [] : '', true);
          if (wrong) found[name] = wrong;
          else body[name] = isMany(kind) ? [] : '';
        }
        continue;
      }
      const wrong = faultOf(kind, schema, next, required);
      if (wrong) found[name] = wrong;
      else body[name] = next;
    }
    if (Object.keys(found).length) return show(found);
    if (changing && !Object.keys(body).length) return setFailure({ text: t('nothingChanged') });
    setBusy(true);
    try {
      onDone(await send(contract, op, { path: places, body: op.body ? body : undefined, key: key.current }));
    } catch (error) {
      setBusy(false);
      if (!(error instanceof Failure)) throw error;
      const fields = new Set([...members.map((one) => one.name), ...missing.map((one) => PATH + one.name)]),
        named = error.faults
          .map(([place, text]) => [fields.has(place) ? place : PATH + place, text])
          .filter(([place]) => fields.has(place));
      // The first of several at one field; what is at no field stands in the whole text.
      if (named.length) show(Object.fromEntries(named.reverse()));
      if (!named.length || named.length < error.faults.length) setFailure(error);
    }
  };
  // What is sent of those values that need no reading, and what people have to know of it.
  const sent = changing ? Object.fromEntries(Object.entries(value).filter(([name, one]) => one !== initial[name])) : value,
    grave = isGrave(op, sent),
    consequence = consequenceOf(op, sent),
    // An answer may have a secret that is shown once: the form stays until it is there.
    close = () => busy || onClose();
  return html`<${Sheet} label=${op.summary} onClose=${close} class="tall"><form ref=${form} onSubmit=${submit} novalidate>
    <div class="row top-row"><div class="grow"><h2>${op.summary}</h2>${noun && html`<p class="small quiet">${noun}</p>`}</div><button type="button" class="button plain icon-only" aria-label=${t('close')} disabled=${busy} onClick=${close}><${Icon} name="close" /></button></div>
    ${grave && html`<p class="warning"><${Icon} name="alert" /><span>${consequence ?? (renews(op) ? t('replaces') : t('cannotUndo'))}</span></p>`}
    ${missing.map(
      (one) =>
        html`<${Member}
          key=${PATH + one.name}
          id=${'p-' + one.name}
          contract=${contract}
          op=${op}
          known=${known}
          member=${{ ...one, required: true }}
          value=${where[one.name] ?? ''}
          fault=${faults[PATH + one.name]}
          onInput=${(next) => {
            setWhere((before) => ({ ...before, [one.name]: next }));
            setFaults((before) => ({ ...before, [PATH + one.name]: null }));
          }}
        />`,
    )}
    ${members.map((one) => html`<${Member} key=${one.name} id=${'m-' + one.name} contract=${contract} op=${op} known=${known} member=${one} value=${value[one.name]} fault=${faults[one.name]} changing=${changing} onInput=${(next) => put(one.name, next)} />`)}
    ${failure && html`<div class="failure" role="alert"><${Icon} name="alert" /><span>${failure.text}${failure.help && html`<br /><span class="small">${failure.help}</span>`}</span></div>`}
    <div class="row buttons"><button type="button" class="button" disabled=${busy} onClick=${close}>${t('cancel')}</button><button class=${`button main ${grave ? 'danger' : ''}`} disabled=${busy}>${grave ? op.summary : changing ? t('save') : t('send')}</button></div></form></${Sheet}>`;
}
function Member({ id, contract, op: { doc }, known, member: { name, schema, kind, required }, value, fault, changing, onInput }) {
  const one = kind === 'ids' ? resolve(doc, schema.items) : schema,
    hint = [
      docOf(schema),
      kind !== 'id' && limits(schema),
      kind === 'lines' && t('lines'),
      one['x-ref'] && canFind(contract, one, known) && t('pickHint'),
    ]
      .filter(Boolean)
      .join(' · '),
    unit = unitName(schema),
    label = nameOf(name, schema) + (unit ? ` (${unit})` : ''),
    props = {
      id,
      'aria-invalid': fault ? 'true' : null,
      'aria-describedby': describedBy(id, hint, fault),
      'aria-required': required ? 'true' : null,
    };
  if (kind === 'switch')
    return html`<div class="field">
      <div class="row">
        <span class="grow"><b class="small" id=${id + '-label'}>${label}</b><br /><span class="hint quiet small">${hint}</span></span
        ><${Switch} on=${value} onChange=${onInput} labelledby=${id + '-label'} />
      </div>
      ${fault && html`<div class="fault" role="alert">${fault}</div>`}
    </div>`;
  const text = (event) => onInput(event.target.value);
  const control =
    kind === 'choice'
      ? html`<select class="input" value=${value} onChange=${text} ...${props}>
          ${(!required || value === '') && html`<option value="">${required ? '…' : t('unset')}</option>`}${schema.enum.filter((one) => one !== null).map((one) => html`<option key=${one} value=${one}>${[valueName(schema, one), valueDoc(schema, one)].filter(Boolean).join(' — ')}</option>`)}
        </select>`
      : kind === 'text' || kind === 'lines'
        ? html`<textarea class="input" rows="3" value=${value} onInput=${text} ...${props}></textarea>`
        : kind === 'json'
          ? html`<textarea
              class="input code"
              rows="4"
              spellcheck=${false}
              placeholder="[ ]"
              value=${value}
              onInput=${text}
              ...${props}
            ></textarea>`
          : kind === 'rows'
            ? html`<${Rows} doc=${doc} schema=${schema} value=${value} onInput=${onInput} id=${id} />`
            : kind === 'id' || kind === 'ids'
              ? html`<${kind === 'id' ? Picker : PickerOfMany}
                  contract=${contract}
                  schema=${one}
                  known=${known}
                  label=${label}
                  value=${value}
                  onInput=${onInput}
                  ...${props}
                />`
              : html`<input
                  class="input"
                  type=${kind === 'date' ? 'date' : 'text'}
                  inputmode=${kind === 'number' ? 'decimal' : null}
                  autocomplete="off"
                  value=${value}
                  onInput=${text}
                  ...${props}
                />`;
  return html`<${Field} label=${label} id=${id} hint=${hint} fault=${fault} optional=${!required && !changing ? t('optional') : null}>${control}</${Field}>`;
}
function Rows({ doc, schema, value, onInput, id }) {
  const members = Object.entries(resolve(doc, schema.items).properties).map(([name, raw]) => {
      const schema = resolve(doc, raw);
      return { name, schema, label: nameOf(name, schema) };
    }),
    blank = Object.fromEntries(members.map(({ name, schema: { type } }) => [name, type === 'boolean' ? false : '']));
  const put = (n, name, next) => onInput(value.map((one, m) => (m === n ? { ...one, [name]: next } : one))),
    amount = (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));
  return html`<div class="rows" id=${id} role="group" tabindex="-1">
    ${value.map(
      (one, n) =>
        html`<div class="row" key=${n}>
          ${members.map(({ name, label, schema: of, schema: { type, enum: choices } }) =>
            type === 'boolean'
              ? html`<label key=${name} class="row small tick-label"
                  ><input
                    type="checkbox"
                    checked=${one[name]}
                    onChange=${(event) => put(n, name, event.target.checked)}
                  />${label}</label
                >`
              : choices
                ? html`<select
                    key=${name}
                    class="input"
                    aria-label=${label}
                    value=${one[name]}
                    onChange=${(event) => put(n, name, event.target.value)}
                  >
                    <option value="">${label}</option>
                    ${choices.map((choice) => html`<option key=${choice} value=${choice}>${valueName(of, choice)}</option>`)}
                  </select>`
                : html`<input
                    key=${name}
                    class="input"
                    aria-label=${label}
                    placeholder=${label}
                    inputmode=${type === 'string' ? null : 'decimal'}
                    value=${one[name] ?? ''}
                    onInput=${(event) => put(n, name, type === 'string' ? event.target.value : amount(event.target.value))}
                  />`,
          )}<button
            type="button"
            class="button plain icon-only"
            aria-label=${t('remove')}
            onClick=${() => onInput(value.filter((_, m) => m !== n))}
          >
            <${Icon} name="close" />
          </button>
        </div>`,
    )} <button type="button" class="button small" onClick=${() => onInput([...value, blank])}><${Icon} name="plus" />${t('addRow')}</button>
  </div>`;
}
