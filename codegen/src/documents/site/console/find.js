// Finds records for people who choose one: in the lists of the contract, by a text or an id.
import { resolve, bind, check, pathOf, readId, idValue } from './contract.js';
import { send, unlocked } from './client.js';

const MOST = 20;
const isList = (op) => op.method === 'GET' && op.list && !op.waits && op.own && !op.query.some((one) => one.required);
const isRead = (op, ref) =>
  op.method === 'GET' && !op.list && !op.waits && op.item && op.path_params.length === 1 && op.path_params[0].schema['x-ref'] === ref;
// How a row of a list is opened: by the operation that reads it, or as a row of its list.
export function opened(contract, op, row, path) {
  const own = op.links
    .map((link) => ({ op: contract.operations.get(link.to), path: bind(link, row, path) }))
    .find((one) => one.op?.method === 'GET' && !one.op.list && !one.op.waits && one.path && one.op.tag === op.tag);
  return own ?? { op, path, id: row[op.own] };
}
// Where the records of a resource are found: the list that has the fewest others in it, on the same surface if there is one, and
// the operation that reads one. `ids` are known.
export function sourceOf(contract, ref, { surface, ids = new Map() }) {
  const open = contract.surfaces.filter(unlocked).sort((a, b) => (b.name === surface) - (a.name === surface)),
    all = open.flatMap((one) => one.operations),
    lists = all.filter((op) => isList(op) && op.ref === ref && pathOf(op, ids)),
    rank = (op) => op.path_params.length * 4 + (op.surface === surface) * 2 + (op.texts.length > 0),
    list = lists.sort((a, b) => rank(b) - rank(a))[0];
  return { list, path: list && pathOf(list, ids), read: all.find((op) => isRead(op, ref)), isWhole: true };
}
// Where a text is searched, and a number: each resource of a surface once.
export const sourcesOf = (contract) =>
  contract.surfaces.filter(unlocked).flatMap((surface) =>
    surface.resources
      .map((resource) => {
        const list = resource.lists.filter(isList).sort((a, b) => (b.texts.length > 0) - (a.texts.length > 0))[0],
          ref = list?.ref ?? resource.lookups[0]?.path_params[0].schema['x-ref'],
          read = surface.operations.find((op) => ref && isRead(op, ref));
        return { surface, resource, list: list?.texts.length ? list : null, path: {}, read };
      })
      .filter((one) => one.list || one.read),
  );

const optionOf = (contract, op, row, path) => {
  const name = op.own && row[op.own] !== undefined ? row[op.own] : Object.values(path)[0],
    label = row[op.label];
  return { id: String(name), label: label === undefined || label === null ? '' : String(label), record: opened(contract, op, row, path) };
};
async function readOne(contract, op, id) {
  const path = { [op.path_params[0].name]: id };
  try {
    const { data } = await send(contract, op, { path });
    return [{ ...optionOf(contract, op, data, path), id, record: { op, path } }];
  } catch (error) {
    // There is none with this id, or it is of somebody else.
    if (error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429) return [];
    throw error;
  }
}
async function readList(contract, op, path, query, text) {
  const size = op.pages?.size,
    most = resolve(op.doc, op.query.find((one) => one.name === size)?.schema).maximum ?? 50,
    { data } = await send(contract, op, { path, query: { ...query, ...(size && { [size]: Math.min(most, text ? 50 : MOST) }) } });
  const options = data.map((row) => optionOf(contract, op, row, path)),
    has = (one) => one.toLowerCase().includes(text.toLowerCase());
  return text ? options.filter((one) => has(one.label) || has(one.id)) : options;
}
// What people know a record by; empty if it cannot be read.
export async function labelOf(contract, { list, path, read }, id) {
  const all = read ? readOne(contract, read, id) : list ? readList(contract, list, path, {}, id) : Promise.resolve([]),
    found = await all.catch(() => []);
  return found.find((one) => one.id === id)?.label ?? '';
}
// The records of a source for a text. A list without a filter for it shows what its first page has, if the source is `isWhole`.
// Fails if nothing was found and a request failed.
export async function find(contract, { list, path, read, isWhole }, text) {
  const id = readId(text),
    usable = list && text ? list.texts.filter((one) => !check(list.doc, one.schema, text, true)) : [],
    asked = [];
  if (id && read && !check(read.doc, read.path_params[0].schema, idValue(id), true)) asked.push(readOne(contract, read, id));
  for (const one of usable) asked.push(readList(contract, list, path, { [one.name]: text }, ''));
  if (list && !usable.length && isWhole) asked.push(readList(contract, list, path, {}, text));
  const settled = await Promise.allSettled(asked),
    options = new Map(settled.flatMap((one) => one.value ?? []).map((one) => [one.id, one])),
    failed = settled.find((one) => one.status === 'rejected');
  if (failed && !options.size) throw failed.reason;
  return [...options.values()].slice(0, MOST);
}
