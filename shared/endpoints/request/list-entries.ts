import { newBadRequest, newResourceExpired, StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import type { ListOptions } from '#shared/endpoints/options/list-options.ts';
import type { ReadAtRevision } from '#shared/registry/read-at-revision.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { ConvertEntries } from '#shared/registry/stored-form.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { timed } from '#shared/request/timed.ts';
import { activeSpan, runSpan, spanEvent } from '#shared/spans/active-span.ts';
import type { CacheEntry, CacheSnapshot } from '#shared/watchcache/watch-cache.ts';
import { collect, collectConverted } from './collect-entries.ts';
import { decodeContinue, encodeContinue, encodeStart, type ContinueToken } from './continue-token.ts';
import type { ListAnswer } from './list-answer.ts';
import type { RequestScope } from './request-scope.ts';
import { parseListVersion } from './resource-version.ts';
import type { Selection } from './selection.ts';
import { reloadsUnreadable } from './unreadable-objects.ts';
import { waitForNewest } from './wait-for-newest.ts';

/** Who lists, and where states of the past are read. */
export interface ListReader {
  readonly readAtRevision: ReadAtRevision;
  /** Whether a list at version 0 ignores the limit. */
  readonly wholeAtZero: boolean;
  readonly audit: RequestAudit | undefined;
}

export function listReader({ audit }: RequestContext, { env, facts }: RequestScope): ListReader {
  return {
    readAtRevision: env.resources.readAtRevision(facts.group, facts.resource),
    wholeAtZero: env.wholeAtZero(facts),
    audit,
  };
}

/** The objects of a selection, according to resourceVersion, resourceVersionMatch, limit and continue. */
export function listEntries(
  store: ResourceStore,
  selection: Selection,
  asked: ListOptions,
  reader: ListReader,
): Promise<ListAnswer> {
  const active = activeSpan();
  if (active === undefined) return readEntries(store, selection, asked, reader);
  const span = active.child('cacher.GetList', {
    'audit-id': active.request.auditId,
    type: formatGroupResource(store.facts),
  });
  span.event('Ready');
  return runSpan(span, readEntries, store, selection, asked, reader);
}

async function readEntries(
  store: ResourceStore,
  selection: Selection,
  asked: ListOptions,
  reader: ListReader,
): Promise<ListAnswer> {
  const { wholeAtZero } = reader;
  const options = wholeAtZero && asked.resourceVersion === '0' ? { ...asked, limit: 0 } : asked;
  if (options.continue !== '' && selection.key === undefined) return continueList(store, selection, options, reader);
  const version = parseListVersion(options.resourceVersion);
  const exact =
    options.resourceVersionMatch === 'Exact' ||
    (options.resourceVersionMatch === '' && options.limit > 0 && version > 0 && selection.key === undefined);
  const { cache } = store;
  // An exact match of another spelling of 0 (such as `00`) is read as the newest state.
  const newest = options.resourceVersion === '' || (exact && version === 0);
  spanEvent('watchCache locked acquired');
  if (exact && !newest) return exactList(store, selection, options, { revision: version, startKey: '' }, reader);
  if (newest) await untilNewest(store, reader);
  else if (version === 0) await cache.ready();
  else await cache.waitForRevision(version);
  return completePage(store, { selection, limit: options.limit, startKey: '', convert: store.convert });
}

/** A consistent read, counted as one of a list. */
async function untilNewest(store: ResourceStore, reader: ListReader): Promise<void> {
  const { reads } = store.cache;
  let hasSucceeded = false;
  try {
    await waitForNewest(store, reader.audit);
    hasSucceeded = true;
  } finally {
    reads?.askedForNewest();
    reads?.consistentList(hasSucceeded);
  }
}

async function continueList(
  store: ResourceStore,
  selection: Selection,
  options: ListOptions,
  reader: ListReader,
): Promise<ListAnswer> {
  const token = decodeContinue(options.continue);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw newBadRequest('specifying resource version is not allowed when using continue');
  }
  if (token.revision < 0) {
    await untilNewest(store, reader);
    const { limit } = options;
    return completePage(store, { selection, limit, startKey: token.startKey, convert: store.convert });
  }
  try {
    return await exactList(store, selection, options, token, reader);
  } catch (error) {
    throw withNewToken(error, token);
  }
}

const inconsistent =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the ' +
  'provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk ' +
  'was returned and now may show up in the list.';

/** Adds to the 410 of an expired continue token a new token, which reads the rest at the newest state. */
function withNewToken(error: unknown, token: ContinueToken): unknown {
  if (!(error instanceof StatusError) || error.status.reason !== 'Expired') return error;
  const { status } = newResourceExpired(inconsistent);
  return new StatusError({ ...status, metadata: { continue: encodeStart(token.startKey, -1) } });
}

async function exactList(
  store: ResourceStore,
  selection: Selection,
  options: ListOptions,
  { revision, startKey }: ContinueToken,
  { readAtRevision, audit }: ListReader,
): Promise<ListAnswer> {
  const { cache } = store;
  await cache.waitForRevision(revision);
  const snapshot = await cache.snapshotAt(revision);
  const page: Page = { selection, limit: options.limit, startKey, convert: store.convert };
  if (snapshot !== undefined) return countedPage(store, snapshot, page);
  const entries = await timed(audit, 'etcd', readAtRevision(selection.prefix, revision, startKey));
  return pageOf(new PastSnapshot(revision, entries), page);
}

/** The part of a collection that a list answers with. */
interface Page {
  readonly selection: Selection;
  /** Most objects; 0: all. */
  readonly limit: number;
  /** The key, without the prefix, at which the page begins. */
  readonly startKey: string;
  /** Set where a webhook converts; the conditions of the selection are then those of converted entries. */
  readonly convert: ConvertEntries | undefined;
}

/** The page of the present state. Throws if objects of it cannot be read. */
async function completePage(store: ResourceStore, page: Page): Promise<ListAnswer> {
  spanEvent('watchCache fresh enough');
  const answer = await countedPage(store, store.cache.snapshot(), page);
  if (store.cache.unreadable.size === 0) return answer;
  const last = answer.continue === '' ? undefined : answer.entries.at(-1)?.key;
  const isReloaded = await reloadsUnreadable(store, page.selection, page.startKey, last);
  return isReloaded ? completePage(store, page) : answer;
}

/** A page from the cache. As in the reference, all that lies in the range counts as read. */
async function countedPage({ cache }: ResourceStore, snapshot: CacheSnapshot, page: Page): Promise<ListAnswer> {
  const answer = await pageOf(snapshot, page);
  const returned = answer.entries.length;
  const { key, prefix } = page.selection;
  cache.reads?.listed(key === undefined ? snapshot.count(prefix, startOf(page)) : returned, returned);
  return answer;
}

/** Where a page begins; undefined for the beginning of the collection. */
function startOf({ selection, startKey }: Page): string | undefined {
  return startKey === '' ? undefined : selection.prefix + startKey;
}

async function pageOf(snapshot: CacheSnapshot, page: Page): Promise<ListAnswer> {
  const { selection, limit } = page;
  const { prefix } = selection;
  const start = startOf(page);
  const source = selection.key === undefined ? snapshot.entries(prefix, start) : snapshot.entries(selection.key);
  activeSpan()?.event('Listed items from cache', { count: snapshot.count(selection.key ?? prefix, start) });
  const { entries, lastKey, more } = await (page.convert === undefined
    ? collect(source, selection, limit)
    : collectConverted(source, selection, limit, page.convert));
  if (entries.length > 0) spanEvent('Resized result');
  spanEvent('Filtered items', 'count', entries.length);
  const { revision } = snapshot;
  if (!more) return { entries, revision, continue: '', remainingItemCount: undefined, shard: selection.shard };
  return {
    entries,
    revision,
    continue: encodeContinue(lastKey, prefix, revision),
    // With a selector, the number of remaining items is not known without reading them.
    remainingItemCount: selection.everything ? snapshot.count(prefix, start) - entries.length : undefined,
    shard: selection.shard,
  };
}

/** A state read from storage, in key order. */
class PastSnapshot implements CacheSnapshot {
  readonly revision: number;
  readonly #entries: readonly CacheEntry[];

  constructor(revision: number, entries: readonly CacheEntry[]) {
    this.revision = revision;
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.length;
  }

  entries(prefix: string, startKey?: string): Iterable<CacheEntry> {
    return this.#entries.filter(
      (entry) => entry.key.startsWith(prefix) && (startKey === undefined || entry.key >= startKey),
    );
  }

  count(prefix: string, startKey?: string): number {
    return [...this.entries(prefix, startKey)].length;
  }
}
