import { newMethodNotSupported } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { noteRequestObject } from '#shared/endpoints/audit/note-request.ts';
import { parseWriteOptions } from '#shared/endpoints/options/write-options.ts';
import { isNamespaces, RequestAdmission } from '#shared/endpoints/request/admission-calls.ts';
import { FieldOwners } from '#shared/endpoints/request/field-owners.ts';
import { negotiateAnswer } from '#shared/endpoints/request/negotiate-answer.ts';
import { dedupOwnerReferences, hasSeveralOwners } from '#shared/endpoints/request/owner-references.ts';
import { checkBodyType, readBody, readObject } from '#shared/endpoints/request/request-body.ts';
import { operationContext, toServed, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { withoutManagersIfTooLarge } from '#shared/endpoints/request/without-managers.ts';
import { writeEntry, writeObject } from '#shared/endpoints/responders/write-object.ts';
import { noteFailedWrite } from '#shared/endpoints/tracing/note-failed-write.ts';
import { matchNamespace, wipeSystemFields } from '#shared/registry/object-metadata.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { Negotiated } from '#shared/serializer/negotiate.ts';
import { spanEvent } from '#shared/spans/active-span.ts';

/** POST to a collection, or to a subresource with the verb create (binding, eviction, token). */
export async function createResource(context: RequestContext, scope: RequestScope): Promise<void> {
  const form = negotiateAnswer(context, scope);
  checkBodyType(context, scope);
  const body = await readBody(scope, context, 'create');
  const options = parseWriteOptions('CreateOptions', context.info.query);
  const operation = operationContext(context, scope, options.dryRun, body.bytes.length);
  const object = await readObject(context, scope, body, options.fieldValidation, operation.pace);
  await noteRequestObject(context, scope, object, operation.pace);
  if (object.metadata !== undefined) {
    if (scope.subresource === undefined) wipeSystemFields(object.metadata);
    matchNamespace(object.metadata, isNamespaces(scope) ? '' : operation.namespace);
    if (hasSeveralOwners(object))
      await operation.pace.run(dedupOwnerReferences(object, (text) => context.addWarning(text), 'as sent'));
  }
  await operation.pace.between();
  await operation.pace.run(new FieldOwners(context, scope, options, operation).create(object));
  const admission = new RequestAdmission(context, scope, options, operation);
  const name = scope.subresource === undefined ? (object.metadata?.name ?? '') : context.info.name;
  await admission.admit('CREATE', object, undefined, name);
  if (hasSeveralOwners(object))
    await operation.pace.run(dedupOwnerReferences(object, (text) => context.addWarning(text), 'after admission'));
  const { store } = scope.rest;
  if (scope.subresource === undefined && store !== undefined) {
    const validate = admission.handles('CREATE')
      ? (created: KubeObject) => admission.validate('CREATE', created, undefined, created.metadata.name ?? '')
      : undefined;
    spanEvent('About to store object in database');
    const { entry } = await withoutManagersIfTooLarge(
      () => store.create(object, operation, validate),
      () => delete object.metadata.managedFields,
    ).catch((error: unknown) => noteFailedWrite(body.bytes.length, error));
    spanEvent('Write to database call succeeded', 'len', body.bytes.length);
    await writeEntry(context, scope, 201, entry, form);
    return;
  }
  await scope.subresource?.prepare?.(name, object, operation);
  await admission.validate('CREATE', object, undefined, name);
  await createUnstored(context, scope, object, form, operation);
}

async function createUnstored(
  context: RequestContext,
  scope: RequestScope,
  object: KubeObject,
  form: Negotiated,
  operation: OperationContext,
): Promise<void> {
  const { subresource } = scope;
  spanEvent('About to store object in database');
  const created =
    subresource === undefined
      ? scope.rest.creator?.(object, operation)
      : subresource.create?.(context.info.name, object, operation);
  if (created === undefined) throw newMethodNotSupported(scope.resource, 'create');
  const result = await created;
  spanEvent('Write to database call succeeded');
  const isStatus = result.kind === 'Status';
  const code = isStatus && typeof result['code'] === 'number' && result['code'] !== 0 ? result['code'] : 201;
  await writeObject(context, scope, code, isStatus ? result : toServed(scope, result), form);
}
