import { failureStatus, newBadRequest, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { RequestAdmission } from '#shared/endpoints/request/admission-calls.ts';
import { negotiateAnswer } from '#shared/endpoints/request/negotiate-answer.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { RequestContext } from '#shared/request/request-context.ts';

/** CONNECT of a stream or proxy: the subresource takes over the exchange. */
export async function connectResource(context: RequestContext, scope: RequestScope): Promise<void> {
  const { subresource } = scope;
  const isRead = subresource?.isNegotiated === true;
  if (isRead) negotiateAnswer(context, scope);
  else if (context.info.query.has('dryRun')) throw newBadRequest('dryRun is not supported');
  const connect = subresource?.connect;
  if (connect === undefined) {
    const name = subresource?.facts.name ?? '';
    throw new StatusError(failureStatus(501, 'NotImplemented', `${scope.facts.resource}/${name} is not served yet`));
  }
  if (context.info.name === '') throw newBadRequest('name must be provided');
  const changed = isRead ? undefined : await admitConnection(context, scope, subresource?.connectOptions?.(context));
  await connect(context, context.info.name, changed);
}

/**
 * Runs admission with the connect options as the object of the request; skipped where no plugin handles CONNECT.
 * Returns the options if a plugin has changed them.
 */
async function admitConnection(
  context: RequestContext,
  scope: RequestScope,
  options: JsonObject | undefined,
): Promise<JsonObject | undefined> {
  const admission = new RequestAdmission(context, scope, { asObject: {}, dryRun: false }, undefined);
  if (!admission.handles('CONNECT')) return undefined;
  const named = { kind: scope.kind.kind, apiVersion: scope.apiVersion, ...options };
  // Options have no metadata, which selectors could select.
  const object = options === undefined ? undefined : (structuredClone(named) as JsonObject as KubeObject);
  await admission.admit('CONNECT', object, undefined, context.info.name);
  await admission.validate('CONNECT', object, undefined, context.info.name);
  return object === undefined || deepEqual(object, named) ? undefined : object;
}
