// Reads the OpenAPI document of a server and makes a model of it: surfaces, resources, operations, fields. The console knows
// nothing else of the service.
import { SERVICE } from '../shared/ui.js';
import { textOf, words } from './names.js';

export async function readContract() {
  const whole = await (await fetch(SERVICE + '/openapi.json')).json();
  const surfaces = await Promise.all(
    whole.tags.map(async (tag) => {
      const answer = await fetch(SERVICE + '/openapi.json?surface=' + encodeURIComponent(tag.name)).catch(() => null);
      const doc = answer?.ok ? await answer.json() : whole;
      const operations = [];
      for (const [path, methods] of Object.entries(doc.paths))
        for (const [method, op] of Object.entries(methods)) {
          if (!/^(get|post|put|patch|delete)$/.test(method) || (doc === whole && op.tags[0] !== tag.name)) continue;
          operations.push(readOperation(doc, path, method, op, tag.name));
        }
      const text = textOf(tag);
      return {
        name: tag.name,
        title: text?.name ?? words(tag.name),
        description: text ? text.doc : tag['x-doc'],
        isPrimary: tag['x-primary'] === true,
        doc,
        operations,
        scheme: operations.find((one) => one.scheme)?.scheme ?? null,
        resources: readResources(operations, doc),
      };
    }),
  );
  const all = new Map(surfaces.flatMap((one) => one.operations.map((op) => [op.id, op])));
  return {
    name: whole['x-name'],
    title: whole.info.title,
    version: whole.info.version,
    surfaces,
    operations: all,
    schemes: Object.assign({}, ...surfaces.map((one) => one.doc.components.securitySchemes ?? {})),
    states: whole['x-states'] ?? {},
    errors: new Map((whole['x-errors'] ?? []).map((one) => [one.name, one])),
    envelope: whole['x-envelope'] ?? {},
    errorHeader: whole['x-error-header'],
    requestHeader: whole['x-request-id-header'],
    faultCodes: whole['x-fault-codes'] ?? null,
    quotas: whole['x-quotas'] ?? {},
  };
}
export function resolve(doc, schema) {
  if (!schema) return {};
  if (schema.$ref) {
    const { $ref, ...own } = schema;
    return {
      ...resolve(
        doc,
        $ref
          .slice(2)
          .split('/')
          .reduce((at, part) => at?.[part], doc),
      ),
      name: $ref.split('/').pop(),
      ...own,
    };
  }
  if (schema.anyOf?.some((one) => one.type === 'null')) {
    const { anyOf, ...own } = schema;
    return {
      ...resolve(
        doc,
        anyOf.find((one) => one.type !== 'null'),
      ),
      ...own,
      nullable: true,
    };
  }
  if (Array.isArray(schema.type))
    return { ...schema, type: schema.type.find((one) => one !== 'null'), nullable: schema.type.includes('null') };
  return schema;
}
function readOperation(doc, path, method, op, surface) {
  const [status, found] = Object.entries(op.responses).find(([code]) => code[0] === '2') ?? [],
    ok = resolve(doc, found),
    body = ok.content?.['application/json'],
    schema = resolve(doc, body?.schema),
    // Without the envelope the body is the data.
    bare = op['x-envelope'] === 'none',
    member = bare ? null : doc['x-envelope']?.data;
  const inner = member && schema.properties?.[member] ? resolve(doc, schema.properties[member]) : null,
    data = bare && body ? schema : inner,
    item = data?.type === 'array' ? resolve(doc, data.items) : data;
  const params = (op.parameters ?? [])
    .map((one) => resolve(doc, one))
    .map((one) => {
      const schema = resolve(doc, one.schema);
      return { ...one, schema: { ...schema, description: one.description ?? schema.description, 'x-text': one['x-text'] } };
    });
  const members = item?.properties ?? {},
    own = item?.['x-id'] ?? null,
    query = params.filter((one) => one.in === 'query'),
    short = op.operationId.slice(surface.length + 1),
    text = textOf(op),
    consequence = op['x-consequence'];
  return {
    id: op.operationId,
    short,
    // On a button, and above a form.
    title: text?.name ?? words(short),
    summary: text?.name ?? op.summary,
    description: text ? text.doc : op.description?.split('\n\n')[0],
    hasText: text !== undefined,
    method: method.toUpperCase(),
    path,
    surface,
    tag: op.tags[0],
    // What one of its records is called.
    noun: textOf(doc.tags.find((one) => one.name === op.tags[0]))?.name ?? words(op.tags[0]),
    doc,
    scheme: Object.keys(op.security?.[0] ?? {})[0] ?? null,
    params,
    path_params: params.filter((one) => one.in === 'path'),
    query,
    key: params.find((one) => one.in === 'header')?.name,
    body: op.requestBody ? resolve(doc, op.requestBody.content['application/json']?.schema) : null,
    example: op.requestBody?.content['application/json']?.example,
    status,
    bare,
    member,
    list: data?.type === 'array',
    item: item ?? null,
    links: Object.entries(ok.links ?? {}).map(([name, one]) => ({ name, to: one.operationId, bare, parameters: one.parameters ?? {} })),
    own,
    ref: own && resolve(doc, members[own])['x-ref'],
    label: item?.['x-label'] ?? null,
    columns: item?.['x-columns'] ?? Object.keys(members),
    texts: textFilters(op['x-filters'] ?? [], query),
    secrets: Object.keys(members).filter((name) => resolve(doc, members[name])['x-secret']),
    // Whether a list in the answer has objects with such members.
    listsSecrets: Object.values(members).some((one) =>
      Object.values(resolve(doc, resolve(doc, one).items).properties ?? {}).some((inner) => resolve(doc, inner)['x-secret']),
    ),
    pages: op['x-pages'],
    totalHeader: op['x-total-header'],
    sort: op['x-sort'],
    effects: op['x-effects'] ?? [],
    consequence: consequence && { text: textOf(consequence)?.name ?? consequence.text, when: consequence.when },
    transitions: op['x-transitions'],
    waits: op['x-waits-at-once'] !== undefined,
    quota: op['x-quota'],
  };
}
// The parameters by which a list is searched for a text: for words, else for a part of a text, else for a whole text.
function textFilters(filters, query) {
  const compared = (how) => filters.map((one) => one.match(`^(\\w+) ${how} `)?.[1]).map((name) => query.find((one) => one.name === name)),
    isText = (one) => one?.schema.type === 'string' && !one.schema.enum && !one.schema.format;
  return ['searches', 'within', '='].map((how) => compared(how).filter(isText)).find((all) => all.length) ?? [];
}
function readResources(operations, doc) {
  const tags = new Map();
  for (const op of operations) {
    if (!tags.has(op.tag)) tags.set(op.tag, []);
    tags.get(op.tag).push(op);
  }
  // What a list leads to: the operations that take the ids of its own records.
  const takes = (id, ref) => operations.find((one) => one.id === id)?.path_params.some((one) => one.schema['x-ref'] === ref),
    linked = new Set(
      operations.flatMap((op) => (op.list && op.ref ? op.links.map((one) => one.to).filter((id) => takes(id, op.ref)) : [])),
    );
  return [...tags]
    .map(([name, ops]) => {
      const free = ops.filter((op) => !op.path_params.length);
      const tag = doc.tags.find((one) => one.name === name),
        text = textOf(tag);
      return {
        name,
        // What is of no resource is of the service itself.
        isService: !tag['x-resource'],
        // One record, and several.
        one: text?.name ?? words(name),
        title: text?.name ?? words(tag['x-plural'] ?? name),
        description: text ? text.doc : tag['x-doc'],
        lists: free.filter((op) => op.method === 'GET' && op.list && !op.waits),
        singles: free.filter((op) => op.method === 'GET' && !op.list && op.item),
        makes: free.filter((op) => op.method !== 'GET'),
        lookups: ops.filter((op) => op.method === 'GET' && op.path_params.length === 1 && !op.list && !linked.has(op.id)),
        // operations on one record to which no list leads
        orphans: ops.filter((op) => op.method !== 'GET' && op.path_params.length && !linked.has(op.id)),
      };
    })
    .filter((one) => one.lists.length || one.singles.length || one.makes.length || one.lookups.length || one.orphans.length);
}
// `$response.body#/data/0/id` for a row of a list, `$response.body#/data/id` for a record, both without `/data` if there is no
// envelope, `$request.path.id` for the way there.
export function bind(link, row, path) {
  const values = {};
  for (const [name, source] of Object.entries(link.parameters)) {
    const key = name.replace(/^path\./, ''),
      from = source.match(/^\$request\.path\.(\w+)$/)?.[1];
    const value = from
      ? path[from]
      : source
          .split('#/')[1]
          ?.split('/')
          .slice(link.bare ? 0 : 1)
          .filter((part, n) => !(n === 0 && part === '0'))
          .reduce((at, part) => at?.[part], row);
    if (value === undefined || value === null) return null;
    values[key] = value;
  }
  return values;
}
// The ids of a path by their resources.
export const idsOf = (op, path) =>
  new Map(
    op.path_params.filter((one) => one.schema['x-ref'] && path[one.name] !== undefined).map((one) => [one.schema['x-ref'], path[one.name]]),
  );
// The path of an operation whose ids are all known; null if one is not.
export function pathOf(op, ids) {
  const values = op.path_params.map((one) => [one.name, ids.get(one.schema['x-ref'])]);
  return values.every(([, value]) => value !== undefined) ? Object.fromEntries(values) : null;
}
// Whether people are asked before an operation: what ends, replaces or revokes something, and what has a consequence. `values` are
// those of the body that is sent.
export const ends = (op) => op.method === 'DELETE' || op.effects.some((one) => /^(ends|renews|revokes) /.test(one));
export const renews = (op) => op.effects.some((one) => one.startsWith('renews '));
export function consequenceOf(op, values) {
  const { when, text } = op.consequence ?? {};
  if (!when) return text ?? null;
  const { member, values: those, not = false } = when;
  return values?.[member] !== undefined && those.includes(values[member]) !== not ? text : null;
}
export const isGrave = (op, values) => ends(op) || consequenceOf(op, values) !== null;

// A dialect that this browser lacks is left to the server.
const matches = (schema, value) => {
  try {
    return !schema.pattern || new RegExp(schema.pattern, 'u').test(value);
  } catch {
    return true;
  }
};
// An id as people type it, a number or a UUID; null if it is none.
export const readId = (text) =>
  String(text)
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .match(/^([1-9]\d{0,15}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/)?.[0] ?? null;
// The same as a body has it.
export const idValue = (id) => (/^\d+$/.test(id) ? Number(id) : id);
// The bounds of the contract, checked before anything is sent. Returns [key, values] of a text, or null.
export function check(doc, raw, value, required) {
  const schema = resolve(doc, raw);
  if (value === undefined || value === null || value === '') {
    if (
      !required ||
      (value === '' && schema.type === 'string' && !schema.enum && !schema.format && !schema.minLength && matches(schema, ''))
    )
      return null;
    return ['required'];
  }
  if (schema.enum) return schema.enum.includes(value) ? null : ['pattern'];
  if (schema.type === 'string') {
    if (typeof value !== 'string' || (schema.format === 'uuid' && readId(value) === null)) return ['pattern'];
    const length = [...value].length;
    if (schema.minLength > length) return ['short', { n: schema.minLength }];
    if (schema.maxLength < length) return ['long', { n: schema.maxLength }];
    if (!matches(schema, value)) return ['pattern'];
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    if (typeof value !== 'number' || Number.isNaN(value)) return ['number'];
    if (schema.type === 'integer' && !Number.isInteger(value)) return ['integer'];
    if (value < schema.minimum) return ['atLeast', { n: schema.minimum }];
    if (value <= schema.exclusiveMinimum) return ['above', { n: schema.exclusiveMinimum }];
    if (value > schema.maximum) return ['atMost', { n: schema.maximum }];
    if (schema['x-decimals'] !== undefined && (String(value).split('.')[1] ?? '').length > schema['x-decimals'])
      return ['decimals', { n: schema['x-decimals'] }];
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return ['json'];
    if (value.length > schema.maxItems) return ['items', { n: schema.maxItems }];
    if (value.length < (schema.minItems ?? 0)) return ['required'];
    const unique = schema['x-unique'],
      seen = new Set();
    for (const one of value) {
      if (unique) {
        const key = String(one?.[unique]).normalize('NFKC').toLowerCase();
        if (seen.has(key)) return ['unique', { name: one[unique] }];
        seen.add(key);
      }
      const inner = check(doc, schema.items, one, true);
      if (inner) return inner;
    }
  }
  if (schema.type === 'object' && schema.properties) {
    if (typeof value !== 'object') return ['json'];
    for (const [name, member] of Object.entries(schema.properties)) {
      const inner = check(doc, member, value[name], schema.required?.includes(name));
      if (inner) return inner;
    }
  }
  return null;
}
