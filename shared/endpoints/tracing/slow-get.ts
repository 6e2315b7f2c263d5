import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { readEventOf } from '#shared/registry/cached-read-span.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { recordedSpan, slowWorkLog } from '#shared/spans/active-span.ts';
import { slowFromMs, StepList } from '#shared/spans/step-list.ts';
import { formAttributes, serializing, writeSlowFromMs, type ResponseForm } from './response-span.ts';
import { UntracedRequest } from './untraced-request.ts';
import { verbAttributes } from './verb-span.ts';

/** When a GET reached its steps, by the clock of `performance.now`. */
export interface GetTimes {
  readonly startMs: number;
  /** When the object was read. */
  readonly readMs: number;
  readonly endMs: number;
}

/**
 * Whether a GET only notes when it reached its steps. Spans would cost 7 us, a third of the request, to be thrown away.
 * Where a webhook converts what is read, that is worth a span.
 */
export function notesTimesOnly(store: ResourceStore | undefined): boolean {
  return store !== undefined && store.convert === undefined && recordedSpan() === undefined;
}

/** Tells the steps of a GET that was slow, as its spans would. `form` is absent where reading failed. */
export function tellSlowGet(
  context: RequestContext,
  scope: RequestScope,
  store: ResourceStore,
  times: GetTimes,
  form?: ResponseForm,
): void {
  const { startMs, readMs, endMs } = times;
  if (endMs - startMs < slowFromMs) return;
  const { info, auditId } = context;
  const request = new UntracedRequest(context);
  const version = info.query.get('resourceVersion') ?? '';
  const get = new StepList('Get', () => verbAttributes(context, request), startMs);
  get.add('About to Get from storage', undefined, startMs);
  const key = store.key(info.namespace, info.name);
  const read = get.nest('cacher.Get', { 'audit-id': auditId, key, 'resource-version': version }, startMs);
  read.add(readEventOf(version), undefined, startMs);
  read.end(readMs, slowFromMs);
  if (form !== undefined) {
    get.add('About to write a response', undefined, readMs);
    const attributes = { ...serializing(context, request), ...formAttributes(scope, form) };
    get.nest('SerializeObject', attributes, readMs).end(endMs, writeSlowFromMs);
    get.add('Writing http response done', undefined, endMs);
  }
  get.end(endMs, slowFromMs);
  slowWorkLog()?.tell(get);
}
