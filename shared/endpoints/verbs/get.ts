import { newBadRequest, newMethodNotSupported, newNotFound } from '#shared/apimachinery/errors/status.ts';
import { negotiateAnswer } from '#shared/endpoints/request/negotiate-answer.ts';
import { operationContext, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { parseResourceVersion } from '#shared/endpoints/request/resource-version.ts';
import { readUnreadable } from '#shared/endpoints/request/unreadable-objects.ts';
import { writeEntry, writeObject } from '#shared/endpoints/responders/write-object.ts';
import { tellSlowGet } from '#shared/endpoints/tracing/slow-get.ts';
import { cachedReadSpan } from '#shared/registry/cached-read-span.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { isTrueParameter } from '#shared/request/parse-request-info.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { timed } from '#shared/request/timed.ts';
import type { Negotiated } from '#shared/serializer/negotiate.ts';
import { activeSpan, runSpan, slowWorkLog, spanEvent } from '#shared/spans/active-span.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** GET of one object, or of a subresource that is a view of it. */
export async function getResource(context: RequestContext, scope: RequestScope): Promise<void> {
  const form = negotiateAnswer(context, scope);
  const { store, reader } = scope.rest;
  let version = '';
  if (context.exchange.query !== '') {
    refuseExport(context);
    version = context.info.query.get('resourceVersion') ?? '';
  }
  if (store === undefined) {
    if (reader === undefined) throw newMethodNotSupported(scope.resource, 'get');
    await writeObject(
      context,
      scope,
      200,
      await reader.get(context.info.name, operationContext(context, scope, false)),
      form,
    );
    return;
  }
  if (slowWorkLog() !== undefined && activeSpan() === undefined) return getTimed(context, scope, store, version, form);
  spanEvent('About to Get from storage');
  const { namespace, name } = context.info;
  const span = activeSpan() && cachedReadSpan(store.objectKey(namespace, name), version);
  const read =
    span === undefined
      ? readEntry(store, context, scope, version)
      : runSpan(span, readEntry, store, context, scope, version);
  await writeEntry(context, scope, 200, await read, form);
}

/** Without spans, but with the times of its steps. */
async function getTimed(
  context: RequestContext,
  scope: RequestScope,
  store: ResourceStore,
  version: string,
  form: Negotiated,
): Promise<void> {
  const startMs = performance.now();
  let entry: CacheEntry;
  try {
    entry = await readEntry(store, context, scope, version);
  } catch (error) {
    const endMs = performance.now();
    tellSlowGet(context, scope, store, { startMs, readMs: endMs, endMs });
    throw error;
  }
  const readMs = performance.now();
  await writeEntry(context, scope, 200, entry, form);
  tellSlowGet(context, scope, store, { startMs, readMs, endMs: performance.now() }, form);
}

/**
 * Reads the newest state where the request has no resource version, otherwise a state at least as new as that version.
 */
async function readEntry(
  store: ResourceStore,
  context: RequestContext,
  scope: RequestScope,
  version: string,
): Promise<CacheEntry> {
  const { cache } = store;
  const { name, namespace } = context.info;
  const key = store.objectKey(namespace, name);
  const minimum = parseResourceVersion(version);
  if (version === '') await timed(context.audit, 'etcd', cache.waitForCurrent());
  else if (minimum === 0) await cache.ready();
  else await cache.waitForRevision(minimum);
  const cached = cache.get(key);
  const isSure = cached === undefined ? !cache.unreadable.has(key) : version !== '' || !store.isDoubted(cached);
  const entry = isSure ? cached : await readUnreadable(store, key);
  if (entry === undefined) throw newNotFound(scope.resource, name);
  if (store.convert === undefined) return entry;
  const [converted = entry] = await store.convert([entry], version === '');
  return converted;
}

function refuseExport(context: RequestContext): void {
  if (isTrueParameter(context.info.query.get('export'))) {
    throw newBadRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
}
