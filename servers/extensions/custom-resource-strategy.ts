import {
  fieldErrorText,
  invalid,
  path,
  type FieldError,
  type FieldErrorType,
} from '#shared/apimachinery/errors/field-error.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { byCodeUnit, sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#shared/apimachinery/validation/meta-validation.ts';
import { isQualifiedName, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import type { ResetFields } from '#shared/registry/field-management/reset-fields.ts';
import type { OperationContext, Strategy } from '#shared/registry/strategy.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { validateScaleSpec, validateScaleStatus, type ScalePaths } from './custom-resource-scale.ts';
import type { CompiledSchema } from './schema/compiled-schema.ts';

export interface CustomResourceRules {
  readonly gvk: GroupVersionKind;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly schema: () => CompiledSchema;
}

/** The strategy of a custom resource in one version (apiextensions-apiserver pkg/registry/customresource). */
export class CustomResourceStrategy implements Strategy {
  readonly allowUnconditionalUpdate = false;
  /** This strategy validates metadata itself: for an object of another type the type must be the only error. */
  readonly metadataOnUpdate = 'none';
  readonly hasStatus: boolean;
  readonly resetFields: ResetFields;
  readonly #rules: CustomResourceRules;
  readonly #apiVersion: string;

  constructor(rules: CustomResourceRules) {
    this.#rules = rules;
    this.hasStatus = rules.hasStatus;
    this.resetFields = rules.hasStatus ? { '': [['status']], status: [['metadata'], ['spec']] } : {};
    this.#apiVersion = formatGroupVersion(rules.gvk);
  }

  *validateInSteps(object: KubeObject, old: KubeObject | undefined, context: OperationContext): Steps<FieldError[]> {
    const wrongType = this.#validateType(object);
    const errors =
      wrongType.length > 0
        ? wrongType
        : [...(yield* this.#validateMetadata(object, old)), ...(yield* this.#validateValues(object, old))];
    yield;
    const schema = this.#rules.schema();
    const embedded = yield* schema.validateEmbedded(object);
    yield;
    const found = [...errors, ...embedded, ...(yield* schema.validateLists(object, old))];
    return schema.hasRules ? yield* withRules(schema, object, old, found, context) : found;
  }

  /** An update of the status changes only the status, not even labels. */
  prepareForStatusUpdate(object: KubeObject, old: KubeObject): void {
    const { managedFields } = object.metadata;
    object.metadata = { ...old.metadata };
    if (managedFields === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = managedFields;
  }

  validateStatusUpdate(
    object: KubeObject,
    old: KubeObject,
    context: OperationContext,
  ): FieldError[] | Promise<FieldError[]> {
    const { scale } = this.#rules;
    const schema = this.#rules.schema();
    const found = [
      ...atOnce(this.#validateMetadata(object, old)),
      ...schema.validateStatusValues(object, old),
      ...(scale === undefined ? [] : validateScaleStatus(object, scale)),
      ...atOnce(schema.validateLists(object, old)),
    ];
    return schema.hasRules ? inRequestSlices(withRules(schema, object, old, found, context)) : found;
  }

  /** Prunes after validation, so that an applied configuration is validated as it was sent. */
  canonicalizeInSteps(object: KubeObject): Steps<void> {
    return this.#rules.schema().pruneApplied(object);
  }

  *warningsInSteps(object: KubeObject, old: KubeObject | undefined): Steps<string[]> {
    const before = new Set(old?.metadata.finalizers ?? []);
    const names = new Set((object.metadata.finalizers ?? []).filter((name) => !before.has(name)));
    const warnings: string[] = [];
    for (const name of yield* sortInSteps([...names], byCodeUnit)) {
      warnings.push(...finalizerWarnings(name));
      if (sliceIsOver()) yield;
    }
    return warnings;
  }

  #validateType({ kind = '', apiVersion = '' }: KubeObject): FieldError[] {
    const { gvk } = this.#rules;
    const errors: FieldError[] = [];
    if (kind !== gvk.kind) errors.push(invalid(path('kind'), kind, `must be ${gvk.kind}`));
    if (apiVersion !== this.#apiVersion)
      errors.push(invalid(path('apiVersion'), apiVersion, `must be ${this.#apiVersion}`));
    return errors;
  }

  #validateMetadata({ metadata }: KubeObject, old: KubeObject | undefined): Steps<FieldError[]> {
    if (old !== undefined) return validateObjectMetaUpdate(metadata, old.metadata, path('metadata'));
    return validateObjectMeta(metadata, this.#rules.namespaced, nameIsDNSSubdomain, path('metadata'));
  }

  *#validateValues(object: KubeObject, old: KubeObject | undefined): Steps<FieldError[]> {
    const { schema, scale } = this.#rules;
    const errors = yield* schema().validateValues(object, old);
    return scale === undefined
      ? errors
      : [...errors, ...validateScaleSpec(object, scale), ...validateScaleStatus(object, scale)];
  }
}

/** Errors after which rules are not evaluated: the rules would only fail because of the same errors. */
const blocking: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Rules run last, and only on objects that are otherwise valid. */
function* withRules(
  schema: CompiledSchema,
  object: KubeObject,
  old: KubeObject | undefined,
  found: FieldError[],
  context: OperationContext,
): Steps<FieldError[]> {
  if (found.some(({ type }) => blocking.has(type))) {
    return [
      ...found,
      invalid(
        undefined,
        null,
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ),
    ];
  }
  return [
    ...found,
    ...(yield* schema.validateRules(object, old, (error) => context.addWarning(fieldErrorText(error)))),
  ];
}

const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
const preference = 'to avoid accidental conflicts with other finalizer writers';

function finalizerWarnings(name: string): string[] {
  const texts = isQualifiedName(name);
  if (!name.includes('/') && !standardFinalizers.has(name)) {
    texts.push(
      `prefer a domain-qualified finalizer name ${name.includes('.') ? 'including a path (/) ' : ''}${preference}`,
    );
  }
  return texts.map((text) => `metadata.finalizers: ${goQuote(name)}: ${text}`);
}
