import { cloneJson } from '../../apimachinery/clone.ts';
import { PatchError } from '../../apimachinery/patch/patch-error.ts';
import { failureStatus, newNotFound, newMethodNotSupported, StatusError } from '../../apimachinery/status.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { RequestAdmission } from '../admission-calls.ts';
import type { EndpointEnvironment } from '../endpoint-environment.ts';
import { parseWriteOptions } from '../options/write-options.ts';
import { ObjectPatch, type PatchType } from '../patch/object-patch.ts';
import { defaulted, readBody } from '../request-body.ts';
import { operationContext, toServed, type RequestScope } from '../request-scope.ts';
import { negotiateAnswer, writeEntry } from '../responders/write-object.ts';
import { checkIdentity, intoParent, writeHooks } from './update.ts';

export const applyType = 'application/apply-patch+yaml';

/** What PATCH of a built-in resource takes. */
export const patchTypes: readonly string[] = [
  'application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json', applyType,
];

/** The media type of a patch, without parameters. */
export function patchTypeOf(context: RequestContext): string {
  return String(context.exchange.headers['content-type'] ?? '').split(';')[0] ?? '';
}

/** PATCH of an object or of a subresource: applied to the newest object, again and again until nobody came between. */
export async function patchResource(env: EndpointEnvironment, context: RequestContext, scope: RequestScope): Promise<void> {
  const type = patchTypeOf(context);
  const form = negotiateAnswer(context, scope);
  const { store } = scope.rest;
  if (store === undefined) throw newMethodNotSupported(scope.resource, 'patch');
  const body = await readBody(env, context);
  const options = parseWriteOptions('PatchOptions', context.info.query, type === applyType);
  // Server-side apply needs field management, which is work to come.
  if (type === applyType) throw new StatusError(failureStatus(501, 'NotImplemented', 'server-side apply is not served yet'));
  const patch = applied(() => new ObjectPatch(type as PatchType, body.bytes, options.fieldValidation));
  const operation = operationContext(context, scope, options.dryRun);
  const admission = new RequestAdmission(env, context, scope, options.asObject, options.dryRun);
  const change = (existing: KubeObject | undefined): KubeObject => {
    if (existing === undefined) throw newNotFound(scope.resource, context.info.name);
    const view = scope.subresource?.view;
    const { object, warnings } = applied(() => patch.apply(scope, view === undefined ? toServed(scope, cloneJson(existing)) : view.read(cloneJson(existing))));
    for (const text of warnings) context.addWarning(text);
    checkIdentity(scope, context, operation, object);
    return intoParent(scope, operation, existing, defaulted(scope, object));
  };
  const { entry, created } = await store.update(operation, {
    ...writeHooks(env, context, scope, operation, admission, change),
    name: context.info.name,
    leavesExisting: scope.subresource?.view === undefined,
  });
  writeEntry(env.facts, context, scope, created ? 201 : 200, entry, form);
}

function applied<T>(apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    throw error instanceof PatchError ? error.toStatusError() : error;
  }
}
