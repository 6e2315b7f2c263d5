import type { RangeRequest } from '#shared/storage/etcd-wire/kv-messages.ts';
import { refuseRequest } from './etcd-errors.ts';
import type { VersionRef } from './key-entry.ts';
import { keyRange } from './key-range.ts';
import { decodeKeyValue, withoutValue } from './kv-encoding.ts';
import type { MvccStore } from './store.ts';

/** The versions that a Range returns, in order; their bytes are not read yet. */
export interface RangeSelection {
  readonly refs: readonly VersionRef[];
  /** Row ids of `refs` at the time of selection, as an entry may have a newer version later. */
  readonly ids: readonly number[];
  readonly more: boolean;
  readonly count: number;
}

/** Reads a version in the form that the request asks for; `undefined` if its row was compacted meanwhile. */
export type Fetch = (store: MvccStore, ref: VersionRef, id: number) => Buffer | undefined;

/** Whether sorting needs the stored forms, which contain version and value. */
export function sortsByContent(request: RangeRequest): boolean {
  return request.sortTarget === 'VERSION' || request.sortTarget === 'VALUE';
}

/**
 * Selects versions at a checked revision, filters them, sorts them by key or revision, and applies the limit. If {@link
 * sortsByContent} is true, {@link sortByContent} does the last two.
 */
export function select(store: MvccStore, request: RangeRequest, revision: number): RangeSelection {
  const limit = request.limit ?? 0;
  const keep = request.countOnly === true ? () => false : revisionFilter(request);
  const limitDeferred =
    keep !== undefined || (request.sortOrder ?? 'NONE') !== 'NONE' || (request.sortTarget ?? 'KEY') !== 'KEY';
  const cut = limit > 0 && !limitDeferred ? limit + 1 : Infinity;
  let refs: VersionRef[] = [];
  let count = 0;
  store.index.forEach(keyRange(request.key, request.rangeEnd), (entry) => {
    const ref = entry.at(revision);
    if (ref === undefined) return;
    count++;
    if (refs.length < cut && (keep === undefined || keep(ref))) refs.push(ref);
  });
  if (sortsByContent(request)) return { refs, ids: refs.map((ref) => ref.id), more: false, count };
  sortByRef(refs, request);
  const more = limit > 0 && refs.length > limit;
  if (more) refs = refs.slice(0, limit);
  return { refs, ids: refs.map((ref) => ref.id), more, count };
}

/** Returns the function that reads selected versions in the form that the request asks for. */
export function fetchFor(request: RangeRequest): Fetch {
  if (request.keysOnly !== true)
    return (store, ref, id) => (ref.id === id ? store.bytes(ref) : store.bytesById(id, ref.key));
  return (store, ref, id) => {
    const bytes = ref.id === id ? store.head(ref) : store.bytesById(id, ref.key);
    return bytes === undefined ? undefined : withoutValue(bytes);
  };
}

/** A Range whose answer is read at once, for transactions and short answers. */
export function rangeAtOnce(
  store: MvccStore,
  request: RangeRequest,
  revision: number,
): { kvs: Buffer[]; more: boolean; count: number } {
  const { refs, ids, more, count } = select(store, request, revision);
  const fetch = sortsByContent(request) ? fetchFor({ ...request, keysOnly: false }) : fetchFor(request);
  const kvs = refs.map((ref, i) => {
    const bytes = fetch(store, ref, ids[i] as number);
    if (bytes === undefined) throw refuseRequest('compacted');
    return bytes;
  });
  return sortsByContent(request) ? sortByContent(kvs, request, count) : { kvs, more, count };
}

export function sortByContent(
  kvs: Buffer[],
  request: RangeRequest,
  count: number,
): { kvs: Buffer[]; more: boolean; count: number } {
  const direction = request.sortOrder === 'DESCEND' ? -1 : 1;
  const decoded = kvs.map((bytes) => ({ bytes, kv: decodeKeyValue(bytes) }));
  if (request.sortTarget === 'VERSION') decoded.sort((a, b) => direction * (a.kv.version - b.kv.version));
  else decoded.sort((a, b) => direction * Buffer.compare(a.kv.value, b.kv.value));
  const limit = request.limit ?? 0;
  const more = limit > 0 && decoded.length > limit;
  const chosen = more ? decoded.slice(0, limit) : decoded;
  return { kvs: chosen.map(({ bytes }) => (request.keysOnly === true ? withoutValue(bytes) : bytes)), more, count };
}

function revisionFilter(request: RangeRequest): ((ref: VersionRef) => boolean) | undefined {
  const { minModRevision = 0, maxModRevision = 0, minCreateRevision = 0, maxCreateRevision = 0 } = request;
  if (minModRevision === 0 && maxModRevision === 0 && minCreateRevision === 0 && maxCreateRevision === 0)
    return undefined;
  return (ref) =>
    (maxModRevision === 0 || ref.modRevision <= maxModRevision) &&
    (minModRevision === 0 || ref.modRevision >= minModRevision) &&
    (maxCreateRevision === 0 || ref.createRevision <= maxCreateRevision) &&
    (minCreateRevision === 0 || ref.createRevision >= minCreateRevision);
}

/**
 * Sorts the answer as requested. The index yields ascending keys already, which is also the order of an unsorted
 * answer.
 */
function sortByRef(refs: VersionRef[], request: RangeRequest): void {
  const order = request.sortOrder ?? 'NONE';
  const target = request.sortTarget ?? 'KEY';
  if (target === 'KEY') {
    if (order === 'DESCEND') refs.reverse();
    return;
  }
  const direction = order === 'DESCEND' ? -1 : 1;
  if (target === 'MOD') refs.sort((a, b) => direction * (a.modRevision - b.modRevision));
  else refs.sort((a, b) => direction * (a.createRevision - b.createRevision));
}
