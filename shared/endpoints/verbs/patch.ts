import { newConflict, newNotFound, newMethodNotSupported } from '#shared/apimachinery/errors/status.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { PatchError } from '#shared/apimachinery/patch/patch-error.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { notePatch } from '#shared/endpoints/audit/note-request.ts';
import { parseWriteOptions, type WriteOptions } from '#shared/endpoints/options/write-options.ts';
import { readAppliedCbor } from '#shared/endpoints/patch/applied-cbor.ts';
import {
  checkDuplicates,
  conformApplied,
  readAppliedConfig,
  unconverted,
} from '#shared/endpoints/patch/apply-patch.ts';
import { ObjectPatch } from '#shared/endpoints/patch/object-patch.ts';
import { applyCborType, isApplyType, patchTypeOf } from '#shared/endpoints/patch/patch-types.ts';
import { type PatchType } from '#shared/endpoints/patch/read-patch.ts';
import { RequestAdmission } from '#shared/endpoints/request/admission-calls.ts';
import { FieldOwners } from '#shared/endpoints/request/field-owners.ts';
import type { HandlerDependencies } from '#shared/endpoints/request/handler-dependencies.ts';
import { negotiateAnswer } from '#shared/endpoints/request/negotiate-answer.ts';
import { converted, readBody } from '#shared/endpoints/request/request-body.ts';
import {
  isStoredForm,
  operationContext,
  toServed,
  type RequestScope,
} from '#shared/endpoints/request/request-scope.ts';
import { withoutManagersIfTooLarge } from '#shared/endpoints/request/without-managers.ts';
import { writeEntry } from '#shared/endpoints/responders/write-object.ts';
import type { Pace } from '#shared/registry/pace.ts';
import type { Transform, UpdateRequest } from '#shared/registry/resource-store.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { takeExactRaw } from '#shared/serializer/json/exact-raw.ts';
import { activeSpan, spanEvent } from '#shared/spans/active-span.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { checkIdentity, writeHooks } from './update.ts';

/** PATCH of an object or of a subresource: applied to the newest object, and again after each conflicting write. */
export async function patchResource(context: RequestContext, scope: RequestScope): Promise<void> {
  const type = patchTypeOf(context);
  const isApply = isApplyType(type);
  const form = negotiateAnswer(context, scope);
  const { store } = scope.rest;
  if (store === undefined) throw newMethodNotSupported(scope.resource, 'patch');
  const body = await readBody(scope, context, 'patch');
  const options = parseWriteOptions('PatchOptions', context.info.query, isApply);
  const operation = operationContext(context, scope, options.dryRun, body.bytes.length);
  if (context.audit?.keepsRequest === true) await notePatch(context.audit, body.bytes, operation.pace);
  spanEvent('Recorded the audit event');
  const admission = new RequestAdmission(context, scope, options, operation);
  const part: PatcherOptions = {
    env: scope.env,
    context,
    scope,
    operation,
    body: body.bytes,
    options,
    owners: new FieldOwners(context, scope, options, operation),
  };
  const change = isApply ? await applier(part, type) : patcher(part, type as PatchType);
  const request: UpdateRequest = {
    ...writeHooks(context, scope, admission, change, operation),
    name: context.info.name,
    leavesExisting: scope.subresource?.view === undefined,
    createIfMissing: isApply && scope.subresource === undefined,
  };
  const write = (): ReturnType<typeof store.update> => store.update(request, operation);
  const { entry, created } = await (isApply ? write() : withoutManagersIfTooLarge(write, () => part.owners.leaveOut()));
  spanEvent('Object stored in database');
  await writeEntry(context, scope, created ? 201 : 200, entry, form);
}

interface PatcherOptions {
  readonly env: HandlerDependencies;
  readonly context: RequestContext;
  readonly scope: RequestScope;
  readonly operation: OperationContext;
  readonly body: Buffer;
  readonly options: WriteOptions;
  readonly owners: FieldOwners;
}

function patcher(
  { env, context, scope, operation, body, options, owners }: PatcherOptions,
  type: PatchType,
): Transform {
  // Parsed only once the object is found: for a missing object the 404 comes before errors of the patch.
  let patch: ObjectPatch | undefined;
  const verb = activeSpan();
  return async (existing, pace, entry) => {
    verb?.event('About to apply patch');
    if (existing === undefined) throw newNotFound(scope.resource, context.info.name);
    patch ??= await applied(ObjectPatch.read(type, body, options.fieldValidation), operation.pace);
    const printed = printedAs(scope, entry);
    const current = printed === undefined ? await pace.run(patchedCopy(scope, owners, existing)) : existing;
    await pace.between();
    const warnings: string[] = [];
    try {
      const { object, refusal } = await applied(
        patch.apply(env.facts, scope, { object: current, printed }, (text) => warnings.push(text)),
        pace,
      );
      await pace.between();
      const stored = await pace.run(
        converted(scope, object, (reason) => {
          // An object that cannot be converted gets no warnings in the reference, except in a strategic patch, which
          // converts in two steps.
          if (type !== 'application/strategic-merge-patch+json') warnings.length = 0;
          return refusal(reason);
        }),
      );
      checkIdentity(scope, context, object, operation);
      const owned = await pace.run(owners.write(existing, stored, entry));
      verb?.event('About to check admission control');
      return owned;
    } finally {
      for (const text of warnings) context.addWarning(text);
    }
  };
}

/** The text to patch, where it is that of the cache. */
function printedAs(scope: RequestScope, entry: CacheEntry | undefined): string | undefined {
  return scope.subresource?.view === undefined && isStoredForm(scope) && entry?.unprinted === undefined
    ? entry?.json.toString('utf8')
    : undefined;
}

/** The object to patch, as its own copy: in the version of the request, or the part of it that a subresource shows. */
function* patchedCopy(scope: RequestScope, owners: FieldOwners, existing: KubeObject): Steps<KubeObject> {
  const copy = yield* cloneInSteps(existing);
  if (isStoredForm(scope)) takeExactRaw(scope.schema, copy, existing);
  return scope.subresource?.view === undefined ? toServed(scope, copy) : owners.replaced(copy);
}

async function applier(
  { context, scope, operation, body, options, owners }: PatcherOptions,
  type: string,
): Promise<Transform> {
  const config = type === applyCborType ? readAppliedCbor(body) : await operation.pace.run(readAppliedConfig(body));
  const verb = activeSpan();
  return async (existing, pace) => {
    verb?.event('About to apply patch');
    await pace.between();
    const { object: merged, isUnchanged } = await pace.run(owners.apply(existing, config.value, options.force));
    await pace.between();
    for (const text of checkDuplicates(config, options.fieldValidation)) context.addWarning(text);
    const object = await pace.run(conformApplied(scope, config, merged, existing));
    await pace.between();
    if (existing === undefined && object.metadata.uid) {
      throw newConflict(
        scope.resource,
        context.info.name,
        `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`,
      );
    }
    // As in the reference, a custom resource that stays as it is gets no defaults, which would have to be valid.
    const stored =
      isUnchanged && scope.schema.custom !== undefined
        ? object
        : await pace.run(converted(scope, object, (reason) => unconverted(scope, config, reason)));
    checkIdentity(scope, context, object, operation);
    verb?.event('About to check admission control');
    return owners.writeApplied(existing, stored);
  };
}

async function applied<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  try {
    return await pace.run(steps);
  } catch (error) {
    throw answerFor(error);
  }
}

function answerFor(error: unknown): unknown {
  return error instanceof PatchError ? error.toStatusError() : error;
}
