import { withinErrorBudgetInSteps } from '#shared/apimachinery/errors/error-budget-in-steps.ts';
import { withinErrorBudget } from '#shared/apimachinery/errors/error-budget.ts';
import { path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { newInvalid } from '#shared/apimachinery/errors/status.ts';
import { generateName } from '#shared/apimachinery/generate-name.ts';
import { parseGroupVersionKind, type GroupKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { type Steps } from '#shared/apimachinery/slices/slices.ts';
import { validateMetaNames, validateObjectMeta } from '#shared/apimachinery/validation/meta-validation.ts';
import { nameIsDNSSubdomain, nameIsPathSegment, type NameRule } from '#shared/apimachinery/validation/names.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { validateFinalizerNames } from './finalizer-names.ts';
import { withNamedStrings } from './named-strings.ts';
import { fillSystemFields, matchNamespace } from './object-metadata.ts';
import type { ObjectStore } from './object-store.ts';
import type { OperationContext, Strategy } from './strategy.ts';

/** Sets name, uid and creation time. Runs before validation and admission read the object. */
export function initializeMetadata(
  { strategy, facts }: ObjectStore,
  object: KubeObject,
  context: OperationContext,
): void {
  const { metadata } = object;
  if (metadata.generateName && !metadata.name)
    metadata.name = strategy.generateName?.(metadata.generateName) ?? generateName(metadata.generateName);
  fillSystemFields(metadata, context.nowMs, `${facts.group}/${facts.resource}/${context.namespace}/${metadata.name}`);
}

/**
 * Prepares and validates a new object; throws a 422 if it is invalid (apiserver registry/rest BeforeCreate). Metadata
 * errors are reported only when the type itself has no errors.
 */
export async function prepareCreate(store: ObjectStore, object: KubeObject, context: OperationContext): Promise<void> {
  const { strategy, facts } = store;
  matchNamespace(object.metadata, facts.namespaced ? context.namespace : '');
  if (store.hasStatus && strategy.keepsStatusOnCreate !== true) delete object['status'];
  if (strategy.generation !== 'none') object.metadata.generation = 1;
  strategy.prepareForCreate?.(object, context);

  const kind = kindOf(store, object);
  const { pace } = context;
  const ofMetadata =
    strategy.metadataOnUpdate === 'none'
      ? []
      : await pace.run(withinErrorBudgetInSteps(ownMetadataErrors(store, object)));
  await pace.between();
  refuse(store, object, kind, ofMetadata.concat(await ownErrors(strategy, object, context)));
  await pace.between();
  // Metadata that the type has checked can only have a name that is no segment of a path.
  const isChecked = strategy.metadataOnUpdate !== 'none';
  const ofName = isChecked
    ? validateMetaNames(object.metadata, nameIsPathSegment, path('metadata'))
    : await pace.run(
        withinErrorBudgetInSteps(
          validateObjectMeta(object.metadata, facts.namespaced, nameIsPathSegment, path('metadata')),
        ),
      );
  refuse(store, object, kind, ofName);
  await pace.between();
  for (const text of await ownWarnings(strategy, object, undefined)) context.addWarning(text);
  strategy.canonicalize?.(object);
  if (strategy.canonicalizeInSteps !== undefined) await pace.run(strategy.canonicalizeInSteps(object));
}

function* ownMetadataErrors(store: ObjectStore, object: KubeObject): Steps<FieldError[]> {
  return [
    ...(yield* validateName(store, object)),
    ...(store.strategy.anyFinalizers === true ? [] : validateFinalizerNames(object)),
  ];
}

async function ownErrors(strategy: Strategy, object: KubeObject, context: OperationContext): Promise<FieldError[]> {
  if (strategy.validateInSteps !== undefined && (context.pace.yields || strategy.validate === undefined))
    return inRequestSlices(withinErrorBudgetInSteps(strategy.validateInSteps(object, undefined, context)));
  return withinErrorBudget(() => strategy.validate?.(object, context) ?? []);
}

/** Returns the warnings of the strategy for a new object, or for an update of `old`. */
export async function ownWarnings(
  strategy: Strategy,
  object: KubeObject,
  old: KubeObject | undefined,
): Promise<string[]> {
  if (strategy.warningsInSteps !== undefined) return inRequestSlices(strategy.warningsInSteps(object, old));
  return (old === undefined ? strategy.warningsOnCreate?.(object) : strategy.warningsOnUpdate?.(object, old)) ?? [];
}

/**
 * Validates the metadata, with the type's own rule of names.
 *
 * @param isValid whether everything but the names is known to be valid
 */
export function* validateName(store: ObjectStore, object: KubeObject, isValid = false): Steps<FieldError[]> {
  const { strategy, facts } = store;
  const rule: NameRule =
    'validateName' in strategy
      ? (name, prefix) => strategy.validateName?.(name, prefix, object) ?? []
      : nameIsDNSSubdomain;
  if (isValid) return validateMetaNames(object.metadata, rule, path('metadata'));
  return yield* validateObjectMeta(object.metadata, facts.namespaced, rule, path('metadata'));
}

/** Throws a 422 if there are errors. */
export function refuse(
  store: ObjectStore,
  { metadata }: KubeObject,
  kind: GroupKind,
  errors: readonly FieldError[],
): void {
  if (errors.length > 0) throw newInvalid(kind, metadata.name ?? '', withNamedStrings(store.form.schema, errors));
}

/** The kind named in a 422. A custom resource is named by its own `kind` field, even if that is wrong. */
export function kindOf(store: ObjectStore, { apiVersion = '', kind = '' }: KubeObject): GroupKind {
  return store.form.schema.custom === undefined ? store.kind : parseGroupVersionKind(apiVersion, kind);
}
