import { newBadRequest, newMethodNotSupported } from '#shared/apimachinery/errors/status.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { noteRequestObject } from '#shared/endpoints/audit/note-request.ts';
import { parseWriteOptions } from '#shared/endpoints/options/write-options.ts';
import { isNamespaces, RequestAdmission } from '#shared/endpoints/request/admission-calls.ts';
import { FieldOwners, intoParent } from '#shared/endpoints/request/field-owners.ts';
import { negotiateAnswer } from '#shared/endpoints/request/negotiate-answer.ts';
import { dedupOwnerReferences, hasSeveralOwners } from '#shared/endpoints/request/owner-references.ts';
import { readBody, readObject } from '#shared/endpoints/request/request-body.ts';
import { isStrategyDefaulted, operationContext, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { withoutManagersIfTooLarge } from '#shared/endpoints/request/without-managers.ts';
import { writeEntry } from '#shared/endpoints/responders/write-object.ts';
import { noteFailedWrite } from '#shared/endpoints/tracing/note-failed-write.ts';
import { matchNamespace } from '#shared/registry/object-metadata.ts';
import type { Pace } from '#shared/registry/pace.ts';
import type { AdmitUpdate, AdmitCreate, Transform, UpdateRequest } from '#shared/registry/resource-store.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { spanEvent } from '#shared/spans/active-span.ts';

/** PUT of an object or of a subresource. */
export async function updateResource(context: RequestContext, scope: RequestScope): Promise<void> {
  const form = negotiateAnswer(context, scope);
  const { store } = scope.rest;
  if (store === undefined) throw newMethodNotSupported(scope.resource, 'update');
  const body = await readBody(scope, context, 'update');
  const options = parseWriteOptions('UpdateOptions', context.info.query);
  const operation = operationContext(context, scope, options.dryRun, body.bytes.length);
  const first = await readObject(context, scope, body, options.fieldValidation, operation.pace);
  await noteRequestObject(context, scope, first, operation.pace);
  checkIdentity(scope, context, first, operation);
  if (hasSeveralOwners(first))
    await operation.pace.run(dedupOwnerReferences(first, (text) => context.addWarning(text), 'as sent'));
  const uid = first.metadata.uid ?? '';

  const admission = new RequestAdmission(context, scope, options, operation);
  const owners = new FieldOwners(context, scope, options, operation);
  let fresh: KubeObject | undefined = first;
  const next = async (pace: Pace): Promise<KubeObject> => {
    // A write that conflicts with a newer object decodes the body again, since hooks have changed the first object.
    const object = fresh ?? (await readObject(context, scope, body, 'Ignore', pace));
    fresh = undefined;
    matchNamespace(object.metadata, isNamespaces(scope) ? '' : operation.namespace);
    return object;
  };
  const request: UpdateRequest = {
    ...writeHooks(
      context,
      scope,
      admission,
      async (existing, pace, entry) => pace.run(owners.write(existing, await next(pace), entry)),
      operation,
    ),
    name: context.info.name,
    leavesExisting: scope.subresource?.view === undefined,
    ...(uid === '' ? {} : { preconditions: { uid } }),
  };
  spanEvent('About to store object in database');
  const { entry, created } = await withoutManagersIfTooLarge(
    () => store.update(request, operation),
    () => owners.leaveOut(),
  ).catch((error: unknown) => noteFailedWrite(body.bytes.length, error));
  spanEvent('Write to database call succeeded', 'len', body.bytes.length);
  await writeEntry(context, scope, created ? 201 : 200, entry, form);
}

/** Body and URL must name the same object. */
export function checkIdentity(
  scope: RequestScope,
  context: RequestContext,
  object: KubeObject,
  operation: OperationContext,
): void {
  matchNamespace(object.metadata, isNamespaces(scope) ? '' : operation.namespace);
  const name = object.metadata.name ?? '';
  const wanted = context.info.name;
  if (name === '')
    throw newBadRequest(`the name of the object (${wanted} based on URL) was undeterminable: name must be provided`);
  if (name !== wanted)
    throw newBadRequest(`the name of the object (${name}) does not match the name on the URL (${wanted})`);
}

/** The hooks that PUT and PATCH share: mutating admission after the change, validating admission at the end. */
export function writeHooks(
  context: RequestContext,
  scope: RequestScope,
  admission: RequestAdmission,
  change: Transform,
  operation: OperationContext,
): Pick<UpdateRequest, 'transform' | 'subresource' | 'admit' | 'admitCreate' | 'validate'> {
  const view = scope.subresource?.view;
  const { name } = context.info;
  const admit: AdmitUpdate = (object, old) => admission.validate('UPDATE', object, old, name);
  const admitCreate: AdmitCreate = async (object) => {
    await scope.env.authorizeVerb(context, 'create');
    await admission.validate('CREATE', object, undefined, name);
  };
  return {
    subresource: operation.subresource,
    async transform(existing, pace, entry) {
      // Only a view may write into the existing object.
      const old =
        existing !== undefined && view !== undefined && admission.handles('UPDATE')
          ? await pace.run(cloneInSteps(existing))
          : existing;
      const changed = await change(existing, pace, entry);
      await pace.between();
      if (existing === undefined) await admission.admit('CREATE', changed, undefined, name);
      else await admission.admit('UPDATE', changed, old, name);
      // A subresource of the type of its parent changes its part alone, whatever hooks of users have changed.
      const isPart = view !== undefined && isStrategyDefaulted(scope);
      const object = isPart && old !== undefined ? intoParent(scope, operation, old, changed) : changed;
      if (hasSeveralOwners(object))
        await operation.pace.run(dedupOwnerReferences(object, (text) => context.addWarning(text), 'after admission'));
      return object;
    },
    ...(admission.handles('UPDATE') ? { admit } : {}),
    admitCreate,
    ...(view?.validate === undefined
      ? {}
      : { validate: (object, old) => view.validate?.(object, old, operation) ?? [] }),
  };
}
