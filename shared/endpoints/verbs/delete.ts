import { newMethodNotSupported, type Status } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { noteDeleteOptions } from '#shared/endpoints/audit/note-request.ts';
import { uidOf } from '#shared/endpoints/forms/entry-scan.ts';
import { parseDeleteOptions, type DeleteOptions } from '#shared/endpoints/options/delete-options.ts';
import { RequestAdmission } from '#shared/endpoints/request/admission-calls.ts';
import { negotiateAnswer } from '#shared/endpoints/request/negotiate-answer.ts';
import { readBody } from '#shared/endpoints/request/request-body.ts';
import { operationContext, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { writeStatus } from '#shared/endpoints/responders/write-error.ts';
import { writeEntry } from '#shared/endpoints/responders/write-object.ts';
import { responseSpan } from '#shared/endpoints/tracing/response-span.ts';
import { atOncePace } from '#shared/registry/pace.ts';
import type { DeleteResult, ResourceStore, SettledOptions } from '#shared/registry/resource-store.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { spanEvent } from '#shared/spans/active-span.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { deleteUnreadable } from './delete-malformed.ts';

/** DELETE of one object. */
export async function deleteResource(context: RequestContext, scope: RequestScope): Promise<void> {
  const form = negotiateAnswer(context, scope);
  const { store } = scope.rest;
  if (store === undefined) throw newMethodNotSupported(scope.resource, 'delete');
  const body = await readBody(scope, context, 'delete');
  const options = parseDeleteOptions(scope.env.facts, body, context.info.query, {
    mediaTypes: scope.env.mediaTypes,
    allowsMalformed: store.malformed.allowsDeletion,
    onDecoded: (sent) => noteDeleteOptions(context, scope, sent),
  });
  if (body.bytes.length > 0) {
    spanEvent('Decoded delete options');
    spanEvent('Recorded the audit event');
  }
  if (options.ignoresReadErrors) return deleteUnreadable(context, scope, store, options);
  warnOfOrphans(context, store, options);
  store.strategy.checkDeletion?.(context.info.name);
  spanEvent('About to delete object from database');
  const result = await deleteOne(context, scope, options, context.info.namespace, context.info.name);
  spanEvent('Object deleted from database');
  // 202 where the object still exists and the client sets `orphanDependents` to false.
  const status = !result.deleted && options.request.orphanDependents === false ? 202 : 200;
  if (result.answersObject) return await writeEntry(context, scope, status, result.entry, form);
  spanEvent('About to write a response');
  const span = responseSpan(context, scope, form);
  writeStatus(scope.env.facts, context, successOf(scope, result.entry), scope.env.mediaTypes);
  await span?.end();
  spanEvent('Writing http response done');
}

/**
 * Warns a client that sets no propagation policy that dependents are orphaned, even where the object does not exist.
 */
export function warnOfOrphans(context: RequestContext, { strategy }: ResourceStore, { request }: DeleteOptions): void {
  if (
    strategy.orphanWarning !== undefined &&
    request.propagationPolicy === undefined &&
    request.orphanDependents === undefined
  )
    context.addWarning(strategy.orphanWarning);
}

export function deleteOne(
  context: RequestContext,
  scope: RequestScope,
  options: DeleteOptions,
  namespace: string,
  name: string,
): Promise<DeleteResult> {
  const { store } = scope.rest;
  if (store === undefined) throw newMethodNotSupported(scope.resource, 'delete');
  const operation = {
    ...operationContext(context, scope, options.dryRun),
    namespace: scope.facts.namespaced ? namespace : '',
  };
  const admission = new RequestAdmission(context, scope, options, { ...operation, pace: atOncePace });
  return store.delete(
    name,
    options.request,
    operation,
    admission.handles('DELETE') ? (old, settled) => admitDeletion(context, admission, old, settled) : undefined,
  );
}

/** For admission, the deletion of a collection has no name, and its options are those that the client sent. */
function admitDeletion(
  { info: { name } }: RequestContext,
  admission: RequestAdmission,
  old: () => KubeObject,
  settled: SettledOptions,
): Promise<void> {
  return admission.delete(old, name, name === '' ? {} : settled);
}

/**
 * The Success status. It carries the uid, so that a client can distinguish the deleted object from a successor of the
 * same name.
 */
function successOf(scope: RequestScope, entry: CacheEntry): Status {
  const { group, resource } = scope.resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: entry.name, ...(group === '' ? {} : { group }), kind: resource, uid: uidOf(entry) },
    code: 0,
  };
}
