// A list: its filters, its table, its pages. What it shows is its query, which its owner keeps.
import { html, Icon, Empty, useState, useEffect, useRef } from '../shared/ui.js';
import { t } from './text.js';
import { resolve, readId } from './contract.js';
import { nameOf, docOf, valueName } from './names.js';
import { credentials, send } from './client.js';
import { filtersOf } from './address.js';
import { Table } from './table.js';
import { Picker } from './picker.js';
import { contract, version } from './state.js';

// How the rows are ordered: in the order that was chosen, if there are several.
function orderOf({ doc, item, sort, query }, chosen) {
  const keys = sort.by ? sort.orders[chosen[sort.by] ?? query.find((one) => one.name === sort.by)?.schema.default] : sort;
  const written = (key) => {
    const [name, direction] = key.split(' ');
    return `${nameOf(name, resolve(doc, item?.properties?.[name]))} ${direction === 'desc' ? '↓' : '↑'}`;
  };
  return keys && t('sorted', { sort: keys.map(written).join(', ') });
}
// Where the page begins that a query asks for, and the query of another one. Lists have pages by their offset or their number.
function paging(op, query, wanted) {
  const { size, offset, number } = op.pages ?? {},
    most = op.query.find((one) => one.name === size)?.schema.maximum ?? wanted,
    length = Number(query[size]) || Math.min(wanted, most),
    at = offset ? Math.ceil((Number(query[offset]) || 0) / length) : number ? (Number(query[number]) || 1) - 1 : 0;
  return {
    at,
    first: offset ? Number(query[offset]) || 0 : at * length,
    length,
    turns: offset || number,
    asked: { ...(size && { [size]: length }), ...query },
    // The first page has no number of its own.
    turned: (to) => ({ ...query, ...(offset && { [offset]: to * length || '' }), ...(number && { [number]: to ? to + 1 : '' }) }),
  };
}
export function List({ op, path, query, onQuery, chosen, onOpen, small }) {
  const [state, setState] = useState({}),
    latest = useRef(),
    filters = filtersOf(op),
    { at, first, length, turns, asked, turned } = paging(op, query, small ? 10 : 20);
  version.value;
  const load = () => {
    setState((before) => ({ ...before, busy: true }));
    // The answer to a former question may come last.
    const mine = (latest.current = {}),
      show = (next) => latest.current === mine && setState(next);
    return send(contract.value, op, { path, query: asked }).then(
      ({ data, total }) => show({ rows: data, first, total: op.pages?.total && total }),
      (error) => show({ error }),
    );
  };
  useEffect(() => {
    load();
  }, [JSON.stringify(asked), version.value, credentials.value[op.scheme]]);
  const { rows, total, error } = state,
    from = state.first + 1,
    to = state.first + (rows?.length ?? 0),
    more = total !== undefined ? to < total : rows?.length === length,
    isFiltered = filters.some((one) => query[one.name]);
  return html`<section class="panel" aria-busy=${String(!!state.busy)}>
    ${
      (filters.length > 0 || !small) &&
      html`<div class="tools">
        ${filters.length > 0 && html`<${Filters} op=${op} filters=${filters} query=${query} onChange=${onQuery} />`}<span
          class="grow"
        ></span
        >${op.sort && html`<span class="small quiet sort">${orderOf(op, query)}</span>`}<button
          class="button plain small icon-only"
          aria-label=${t('refresh')}
          onClick=${load}
        >
          <${Icon} name="refresh" />
        </button>
      </div>`
    }
    ${error ? html`<${Broken} error=${error} again=${load} />` : !rows ? html`<div class="pad ghost"><span class="skeleton"></span><span class="skeleton"></span><span class="skeleton"></span></div>` : !rows.length ? html`<${Empty} icon="list" title=${isFiltered ? t('emptyFiltered') : t('empty')} />` : html`<${Table} op=${op} rows=${rows} chosen=${chosen} onOpen=${onOpen} states=${contract.value.states} />`}
    ${rows && (at > 0 || more || total !== undefined) && html`<div class="pager"><span class="small quiet number">${rows.length ? (total !== undefined ? t('of', { from, to, n: total.toLocaleString() }) : t('page', { from, to })) : ''}</span><span class="grow"></span>${turns && (at > 0 || more) && html`<button class="button small" disabled=${at === 0} onClick=${() => onQuery(turned(at - 1))}><${Icon} name="left" />${t('previous')}</button><button class="button small" disabled=${!more} onClick=${() => onQuery(turned(at + 1))}>${t('next')}<${Icon} name="right" /></button>`}</div>`}
  </section>`;
}
// A list beside a record keeps its query to itself.
export function OwnList(props) {
  const [query, setQuery] = useState({});
  return html`<${List} ...${props} query=${query} onQuery=${setQuery} small=${true} />`;
}
function Filters({ op, filters, query, onChange }) {
  const [draft, setDraft] = useState(query);
  useEffect(() => {
    setDraft(query);
  }, [JSON.stringify(query)]);
  // Other filters find other rows: their first page is shown. What is no id yet is not sent.
  const apply = (next) => {
      const sent = filters.map((one) => [one.name, one.schema['x-ref'] ? readId(next[one.name] ?? '') : next[one.name]?.trim?.()]),
        kept = Object.fromEntries(sent.filter(([, value]) => value));
      if (
        JSON.stringify(kept) !==
        JSON.stringify(Object.fromEntries(filters.map(({ name }) => [name, query[name]]).filter(([, value]) => value)))
      )
        onChange(kept);
    },
    put = (name, value, now) => {
      const next = { ...draft, [name]: value };
      setDraft(next);
      if (now) apply(next);
    };
  return html`<form
    class="filters"
    role="search"
    aria-label=${t('filtersOf', { list: op.summary })}
    onSubmit=${(event) => {
      event.preventDefault();
      apply(draft);
    }}
  >
    ${filters.map((one) => {
      const id = `f-${op.id}-${one.name}`,
        schema = one.schema,
        choices =
          schema.enum?.filter((value) => value !== null) ??
          (schema.type === 'boolean' || schema['x-flag'] ? ['true', 'false'] : null),
        name = nameOf(one.name, schema),
        choice = (value) => (schema.enum ? valueName(schema, value) : t(value === 'true' ? 'yes' : 'no'));
      return html`<span key=${one.name}
        ><label class="hidden" for=${id}>${name}</label>${
          choices
            ? html`<select
                id=${id}
                class="input"
                value=${draft[one.name] ?? ''}
                onChange=${(event) => put(one.name, event.target.value, true)}
              >
                <option value="">${name}</option>
                ${choices.map((value) => html`<option key=${value} value=${value}>${name}: ${choice(value)}</option>`)}
              </select>`
            : schema['x-ref']
              ? html`<${Picker}
                  contract=${contract.value}
                  schema=${schema}
                  known=${{ surface: op.surface }}
                  id=${id}
                  label=${name}
                  placeholder=${name}
                  value=${draft[one.name] ?? ''}
                  onInput=${(value) => put(one.name, value)}
                  onPick=${(value) => put(one.name, value, true)}
                />`
              : html`<input
                    id=${id}
                    class="input"
                    placeholder=${name}
                    title=${docOf(schema)}
                    list=${one['x-synonyms'] ? id + '-list' : null}
                    value=${draft[one.name] ?? ''}
                    onInput=${(event) => put(one.name, event.target.value)}
                    onChange=${() => apply(draft)}
                  />${one['x-synonyms'] && html`<datalist id=${id + '-list'}>${one['x-synonyms'].map(([value, other]) => html`<option key=${value} value=${value}>${other}</option>`)}</datalist>`}`
        }</span
      >`;
    })}
    ${
      filters.some((one) => query[one.name]) &&
      html`<button
        type="button"
        class="button plain small"
        onClick=${() => {
          setDraft({});
          onChange({});
        }}
      >
        ${t('clear')}
      </button>`
    }<button class="hidden">${t('apply')}</button>
  </form>`;
}
export const Broken = ({ error, again }) =>
  html`<${Empty} icon="alert" title=${t('failed')}><p>${error.text}</p>${error.help && html`<p class="small">${error.help}</p>`}${error.request && html`<p class="small"><code>${t('reference', { id: error.request })}</code></p>`}<button class="button" onClick=${again}>${t('again')}</button></${Empty}>`;
