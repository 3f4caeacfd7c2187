// Addresses: `#/SURFACE/RESOURCE/LIST/RECORD/RECORD?FILTER=VALUE`. They hold all that is shown, and nothing that is secret:
// resources and ids, and the query of the list as it is sent, with its order and its page.
//
// LIST is there if it is not the first list of the resource. A record is an operation with its ids: `get_loan:7` reads it, and
// `list_copies:7:3` is the one with the id 3 in a list. Each record is opened in front of the former one.
const pieces = (all) => all.map(encodeURIComponent).join(':');
// The parameters of a list that are not those of its pages.
export const filtersOf = ({ query, pages = {} }) => query.filter(({ name }) => ![pages.size, pages.offset, pages.number].includes(name));

const wrong = (key, values) => ({ wrong: { key, values } });
function readRecord(surface, part) {
  const [name, ...ids] = part.split(':').map(decodeURIComponent),
    op = surface.operations.find((one) => one.short === name && one.method === 'GET' && !one.waits),
    names = op?.path_params.map((one) => one.name) ?? [];
  if (!op || ids.length !== names.length + (op.list ? 1 : 0) || ids.some((id) => id === '')) return null;
  return { op, path: Object.fromEntries(names.map((one, n) => [one, ids[n]])), id: op.list ? ids.at(-1) : null };
}
export function read(contract, hash) {
  try {
    return readParts(contract, hash);
  } catch {
    return wrong('badAddress', { name: hash });
  }
}
function readParts(contract, hash) {
  const [place, search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s),
    [first, second, ...rest] = place.split('/').filter(Boolean);
  if (!first) return {};
  const name = decodeURIComponent(first),
    surface = contract.surfaces.find((one) => one.name === name);
  if (!surface) return wrong('noSurface', { name });
  const tag = decodeURIComponent(second ?? ''),
    resource = surface.resources.find((one) => one.name === tag);
  if (!resource) return wrong('noResource', { surface: name, name: tag });
  const named = resource.lists.find((one) => one.short === decodeURIComponent(rest[0] ?? '')),
    list = named ?? resource.lists[0] ?? null,
    records = [];
  for (const part of named ? rest.slice(1) : rest) {
    const record = readRecord(surface, part);
    if (!record) return wrong('noList', { resource: tag, name: decodeURIComponent(part) });
    records.push(record);
  }
  const query = Object.fromEntries(new URLSearchParams(search)),
    strange = Object.keys(query).find((one) => !list?.query.some((known) => known.name === one));
  if (strange !== undefined) return wrong('noFilter', { list: list?.short ?? tag, name: strange });
  return { surface, resource, list, query, records };
}
export const writeRecord = ({ op, path, id }) =>
  pieces([op.short, ...op.path_params.map((one) => path[one.name]), ...(op.list ? [id] : [])]);
export function write({ surface, resource, list, query = {}, records = [] }) {
  if (!surface) return '#/';
  const parts = [surface.name, resource.name, ...(list && list !== resource.lists[0] ? [list.short] : [])].map(encodeURIComponent),
    search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '' && value !== undefined && value !== null));
  return '#/' + [...parts, ...records.map(writeRecord)].join('/') + (search.size ? '?' + search : '');
}
