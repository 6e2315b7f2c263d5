import {
  newMethodNotSupported,
  newResourceExpired,
  newInternalError,
  StatusError,
  toStatus,
  type Status,
} from '#shared/apimachinery/errors/status.ts';
import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import { parseTableOptions, plainTable } from '#shared/endpoints/forms/table-form.ts';
import type { ListOptions } from '#shared/endpoints/options/list-options.ts';
import type { HandlerDependencies } from '#shared/endpoints/request/handler-dependencies.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { parseResourceVersion } from '#shared/endpoints/request/resource-version.ts';
import { selectionOf, type Selection } from '#shared/endpoints/request/selection.ts';
import { reloadsUnreadable } from '#shared/endpoints/request/unreadable-objects.ts';
import { waitForNewest } from '#shared/endpoints/request/wait-for-newest.ts';
import { watchSpan } from '#shared/endpoints/tracing/response-span.ts';
import { ConvertedWatch } from '#shared/endpoints/watch/converted-watch.ts';
import { openWatch } from '#shared/endpoints/watch/open-watch.ts';
import { WatchEncoding } from '#shared/endpoints/watch/watch-encoding.ts';
import { observeInitialList, watchCounts } from '#shared/endpoints/watch/watch-metrics.ts';
import { WatchStream } from '#shared/endpoints/watch/watch-stream.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { watchBegan } from '#shared/request/watch-began.ts';
import { checkStreamable, negotiateStream } from '#shared/serializer/negotiate.ts';
import { activeSpan, runSpan, spanEvent } from '#shared/spans/active-span.ts';

/** The start of a watch. */
interface Start {
  /** The revision after which events are sent. */
  readonly afterRevision: number;
  readonly initialEvents: boolean;
}

/** GET with `watch`: the response is a stream of events that ends at the timeout or when the watch cannot continue. */
export async function watchResource(context: RequestContext, scope: RequestScope, options: ListOptions): Promise<void> {
  const negotiated = negotiateStream(
    context.exchange.headers['accept'] as string | undefined,
    scope.env.mediaTypes,
    scope.transforms,
  );
  const { store } = scope.rest;
  if (store === undefined) throw newMethodNotSupported(scope.resource, 'watch');
  const version = parseResourceVersion(options.resourceVersion);
  const tableOptions = negotiated.transform?.kind === 'Table' ? parseTableOptions(context.info.query) : plainTable;
  checkStreamable(negotiated, scope.env.mediaTypes);
  const selection = await selectionOf(store, context.info.namespace, options);
  const encoding = new WatchEncoding(scope, negotiated.mediaType, negotiated.transform, tableOptions);

  const endsAfterMs = timeoutMs(scope.env, options);
  let start: Start | undefined;
  let failure: Status | undefined;
  try {
    if (endsAfterMs >= 0) start = await tracedStart(store, options, version, selection);
  } catch (error) {
    failure = toStatus(error instanceof StatusError ? error : newInternalError(String(error)));
  }
  if (context.exchange.closed) return;
  const response = openWatch(context, negotiated.mediaType);
  if (response === undefined) return;
  watchSpan(context, scope, negotiated.mediaType);
  if (endsAfterMs < 0 || negotiated.transform?.kind === 'PartialObjectMetadataList') {
    // Ends the stream, as the reference does at the first event: an event is never a list.
    response.end();
    return;
  }
  // Once the watch is accepted, errors are sent as events.
  if (start === undefined) {
    response.write(encoding.errorFrame(failure ?? newInternalError('the watch could not start').status));
    response.end();
    return;
  }
  const { afterRevision, initialEvents } = start;
  const marksInitialEnd = options.allowWatchBookmarks && initialEvents && options.sendInitialEvents === true;
  new WatchStream({
    exchange: context.exchange,
    response,
    encoding,
    timeoutMs: endsAfterMs,
    bookmarks: options.allowWatchBookmarks,
    counts: watchCounts(context),
    onInitialEnd: marksInitialEnd ? () => endInitialList(context) : context.watchStart?.begun,
    marksInitialEnd,
    expired: () => newResourceExpired(`too old resource version: ${afterRevision} (${store.cache.revision})`).status,
  }).run(opener(store, scope.apiVersion), {
    prefix: selection.prefix,
    ...(selection.key === undefined ? {} : { key: selection.key }),
    ...(selection.matches === undefined ? {} : { matches: selection.matches }),
    selection: selection.text,
    afterRevision,
    initialEvents,
  });
}

function endInitialList(context: RequestContext): void {
  observeInitialList(context);
  watchBegan(context);
}

/** Opens watches of a store: on its cache, through a webhook where one converts. */
function opener({ cache, convert }: ResourceStore, apiVersion: string): Parameters<WatchStream['run']>[0] {
  return convert === undefined
    ? (options) => cache.watch(options)
    : (options, onFailure) => new ConvertedWatch(cache, options, { convert, apiVersion, onFailure });
}

function tracedStart(...parameters: Parameters<typeof startOf>): Promise<Start> {
  const active = activeSpan();
  if (active === undefined) return startOf(...parameters);
  const [{ facts }] = parameters;
  const span = active.child('cacher.Watch', { 'audit-id': active.request.auditId, type: formatGroupResource(facts) });
  return runSpan(span, startOf, ...parameters);
}

async function startOf(
  store: ResourceStore,
  options: ListOptions,
  version: number,
  selection: Selection,
): Promise<Start> {
  spanEvent('watchCache locked acquired');
  const start = await readyStart(store, options, version);
  spanEvent('watchCache fresh enough');
  // The present state would lack what cannot be read.
  if (start.initialEvents && store.cache.unreadable.size > 0) await reloadsUnreadable(store, selection);
  return start;
}

async function readyStart(store: ResourceStore, options: ListOptions, version: number): Promise<Start> {
  const { cache } = store;
  if (options.sendInitialEvents === true) {
    if (options.resourceVersion === '') await untilNewest(store);
    else if (version === 0) await cache.ready();
    else await cache.waitForRevision(version);
    return { afterRevision: 0, initialEvents: true };
  }
  await cache.ready();
  if (version > 0) return { afterRevision: version, initialEvents: false };
  // Without a resource version and without initial events, the watch sends the events from now on.
  if (options.resourceVersion === '') await untilNewest(store);
  return { afterRevision: 0, initialEvents: options.sendInitialEvents === undefined };
}

async function untilNewest(store: ResourceStore): Promise<void> {
  await waitForNewest(store);
  store.cache.reads?.askedForNewest();
}

/** The timeout of a watch; negative where it has passed before the watch begins. */
function timeoutMs(env: HandlerDependencies, options: ListOptions): number {
  // Go's Duration is an int64 of nanoseconds, so a large timeout overflows (apiserver endpoints/handlers/get.go).
  const nanoseconds = BigInt.asIntN(64, BigInt(options.timeoutSeconds ?? 0) * 1_000_000_000n);
  // The default timeout is randomized, so that watches that began together do not all reconnect together.
  return nanoseconds === 0n ? env.minRequestTimeoutSeconds * (1 + Math.random()) * 1000 : Number(nanoseconds) / 1e6;
}
