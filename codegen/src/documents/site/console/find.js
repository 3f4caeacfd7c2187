// Finds records for people.
import { bind } from './contract.js';

// How a row of a list is opened: by the operation that reads it, or as a row of its list.
export function opened(contract, op, row, path) {
  const own = op.links
    .map((link) => ({ op: contract.operations.get(link.to), path: bind(link, row, path) }))
    .find((one) => one.op?.method === 'GET' && !one.op.list && !one.op.waits && one.path && one.op.tag === op.tag);
  return own ?? { op, path, id: row[op.own] };
}
