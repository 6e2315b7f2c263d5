import { withinErrorBudgetInSteps } from '#shared/apimachinery/errors/error-budget-in-steps.ts';
import { withinErrorBudget } from '#shared/apimachinery/errors/error-budget.ts';
import { path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { holdsFloats } from '#shared/apimachinery/json/whole-floats.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { deepEqual, holdsEmpty, semanticEqualAsInSteps } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { type Steps } from '#shared/apimachinery/slices/slices.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#shared/apimachinery/validation/meta-validation.ts';
import { nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { kindOf, ownWarnings, refuse, validateName } from './before-create.ts';
import { emptyBytesIn } from './empty-bytes.ts';
import { validateFinalizerNames } from './finalizer-names.ts';
import { keep, keepOwnMetadata, matchNamespace, raiseGeneration } from './object-metadata.ts';
import type { ObjectStore } from './object-store.ts';
import type { OperationContext } from './strategy.ts';

/** Extra validation of a subresource that writes its parent object. */
export type ExtraValidation = (object: KubeObject, old: KubeObject) => FieldError[];

/**
 * Prepares and validates a changed object; throws a 422 if it is invalid (apiserver registry/rest BeforeUpdate). Fields
 * that clients may not change are restored from the old object.
 */
export async function prepareUpdate(
  store: ObjectStore,
  object: KubeObject,
  old: KubeObject,
  context: OperationContext,
  extra?: ExtraValidation,
): Promise<void> {
  const { strategy } = store;
  const { pace } = context;
  const kind = kindOf(store, object);
  matchNamespace(object.metadata, store.facts.namespaced ? context.namespace : '');
  keep(object.metadata, old.metadata, 'generation');
  if (context.subresource === 'status') prepareStatus(store, object, old, context);
  else await pace.run(prepareObject(store, object, old, context));
  keepSystemFields(object, old);

  // A strategy may have replaced the metadata object.
  const { metadata } = object;
  const errors = await pace.run(
    withinErrorBudgetInSteps(validateObjectMeta(metadata, store.facts.namespaced, nameIsPathSegment, path('metadata'))),
  );
  await pace.between();
  const ofUpdate = await pace.run(
    withinErrorBudgetInSteps(validateObjectMetaUpdate(metadata, old.metadata, path('metadata'), errors.length === 0)),
  );
  await pace.between();
  // The validation of the type checks the metadata again: clients see the same error more than once.
  const ofType = await pace.run(
    withinErrorBudgetInSteps(
      ownErrors(store, object, context, { isValid: errors.length === 0, ofUpdate }, () => extra?.(object, old) ?? []),
    ),
  );
  await pace.between();
  refuse(store, object, kind, errors.concat(ofUpdate, ofType, await validateType(store, object, old, context)));
  await pace.between();
  if (writesWholeObject(context)) for (const text of await ownWarnings(strategy, object, old)) context.addWarning(text);
  else if (context.subresource === 'status')
    for (const text of strategy.warningsOnStatusUpdate?.(object, old) ?? []) context.addWarning(text);
  strategy.canonicalize?.(object);
  if (strategy.canonicalizeInSteps !== undefined) await pace.run(strategy.canonicalizeInSteps(object));
}

/** What the checks of the metadata that all types share have found. */
interface CheckedMetadata {
  readonly isValid: boolean;
  readonly ofUpdate: readonly FieldError[];
}

function* ownErrors(
  store: ObjectStore,
  object: KubeObject,
  context: OperationContext,
  checked: CheckedMetadata,
  extra: () => FieldError[],
): Steps<FieldError[]> {
  return [...(yield* ownMetadataErrors(store, object, context, checked)), ...extra()];
}

function* ownMetadataErrors(
  store: ObjectStore,
  object: KubeObject,
  context: OperationContext,
  { isValid, ofUpdate }: CheckedMetadata,
): Steps<FieldError[]> {
  const { strategy } = store;
  const validated =
    strategy.metadataOnUpdate === 'none' || context.subresource === ''
      ? (strategy.metadataOnUpdate ?? 'changes')
      : 'changes';
  if (validated === 'none' || (context.subresource === 'status' && strategy.metadataOnStatusUpdate === 'none'))
    return [];
  const finalizers = strategy.anyFinalizers === true ? [] : validateFinalizerNames(object);
  return [
    ...(validated === 'whole' ? [] : [...ofUpdate, ...finalizers]),
    ...(validated === 'changes' ? [] : [...(yield* validateName(store, object, isValid)), ...finalizers]),
  ];
}

async function validateType(
  store: ObjectStore,
  object: KubeObject,
  old: KubeObject,
  context: OperationContext,
): Promise<FieldError[]> {
  const { strategy } = store;
  if (context.subresource === 'status')
    return withinErrorBudget(() => strategy.validateStatusUpdate?.(object, old, context) ?? []);
  if (!writesWholeObject(context)) return [];
  if (strategy.validateInSteps !== undefined && (context.pace.yields || strategy.validateUpdate === undefined))
    return inRequestSlices(withinErrorBudgetInSteps(strategy.validateInSteps(object, old, context)));
  return withinErrorBudget(() => strategy.validateUpdate?.(object, old, context) ?? []);
}

/**
 * Whether all fields of the object are written. A write of a Scale counts, too; subresources such as resize, binding or
 * finalize choose the fields that they write.
 */
function writesWholeObject({ subresource }: OperationContext): boolean {
  return subresource === '' || subresource === 'scale';
}

/** An update of the object keeps the old status, and increments the generation if the spec changed. */
function* prepareObject(
  store: ObjectStore,
  object: KubeObject,
  old: KubeObject,
  context: OperationContext,
): Steps<void> {
  const { strategy } = store;
  if (writesWholeObject(context)) {
    if (store.hasStatus) keep(object, old, 'status');
    strategy.prepareForUpdate?.(object, old, context);
  }
  // In the reference a binding bypasses the strategy of pods, so it does not increment the generation.
  if (context.subresource === 'binding') return;
  if (strategy.generation !== 'none' && strategy.generation !== 'first' && (yield* wantedChanged(store, object, old)))
    raiseGeneration(object.metadata);
}

function statusResetsMetadata({ strategy }: ObjectStore): boolean {
  return strategy.resetFields?.['status']?.some((path) => path.length === 1 && path[0] === 'metadata') === true;
}

/** An update of the status keeps everything else, except the metadata that controllers may set. */
function prepareStatus(store: ObjectStore, object: KubeObject, old: KubeObject, context: OperationContext): void {
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (key !== 'metadata' && key !== 'status') keep(object, old, key);
  }
  if (store.strategy.keepMetadataOfStatus !== undefined)
    store.strategy.keepMetadataOfStatus(object.metadata, old.metadata);
  else if (statusResetsMetadata(store)) keepOwnMetadata(object.metadata, old.metadata);
  store.strategy.prepareForStatusUpdate?.(object, old, context);
}

/** Members whose changes do not increment the generation. */
const notWanted: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function* wantedChanged(store: ObjectStore, object: KubeObject, old: KubeObject): Steps<boolean> {
  if (store.form.schema.custom !== undefined) return anyChanged(object, old);
  for (const { name, schema } of store.form.schema.flat) {
    if (notWanted.has(name)) continue;
    if (!(yield* semanticEqualAsInSteps(schema, getKey(object, name), getKey(old, name)))) return true;
    if (store.strategy.generation === 'exact' && isOtherwise(schema, getKey(object, name), getKey(old, name)))
      return true;
  }
  return false;
}

/**
 * Whether Go sees a difference between two values that are equal here: an empty list, map or byte string differs from
 * an absent one. Stored objects have no empty lists.
 */
function isOtherwise(schema: Schema, value: JsonValue | undefined, old: JsonValue | undefined): boolean {
  return holdsEmpty(schema, value) || emptyBytesIn(schema, value) !== emptyBytesIn(schema, old);
}

/**
 * With a status subresource the old status was restored before this. Stored objects hold no whole floats (`1.0`), so a
 * whole float counts as a change.
 */
function anyChanged(object: KubeObject, old: KubeObject): boolean {
  const keys = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const key of ['metadata', 'apiVersion', 'kind']) keys.delete(key);
  return [...keys].some((key) => holdsFloats(getKey(object, key)) || !deepEqual(getKey(object, key), getKey(old, key)));
}

function keepSystemFields(object: KubeObject, old: KubeObject): void {
  const { metadata } = object;
  const before = old.metadata;
  if (!metadata.uid) keep(metadata, before, 'uid');
  if (before.creationTimestamp) metadata.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds != null && metadata.deletionGracePeriodSeconds == null) {
    metadata.deletionGracePeriodSeconds = before.deletionGracePeriodSeconds;
  }
}
