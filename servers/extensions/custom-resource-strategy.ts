import { invalid, path, type FieldError } from '../../shared/apimachinery/field-error.ts';
import { goQuote } from '../../shared/apimachinery/go-format.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../shared/apimachinery/gvk.ts';
import { isQualifiedName } from '../../shared/apimachinery/names.ts';
import type { KubeObject } from '../../shared/apimachinery/object.ts';
import type { Steps } from '../../shared/apimachinery/slices.ts';
import { newInvalid } from '../../shared/apimachinery/status.ts';
import type { ResetFields } from '../../shared/registry/field-management/reset-fields.ts';
import type { OperationContext, Strategy } from '../../shared/registry/strategy.ts';
import { validateScaleSpec, validateScaleStatus, type ScalePaths } from './custom-resource-scale.ts';
import type { CompiledSchema } from './schema/compiled-schema.ts';

export interface CustomResourceRules {
  readonly gvk: GroupVersionKind;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly schema: () => CompiledSchema;
}

/** The strategy of a custom resource in one version (apiextensions-apiserver pkg/registry/customresource). */
export class CustomResourceStrategy implements Strategy {
  readonly allowUnconditionalUpdate = false;
  readonly anyFinalizers = true;
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

  prepareForCreate(_context: OperationContext, object: KubeObject): void {
    this.#requireType(object);
  }

  *validateInSteps(object: KubeObject, old: KubeObject | undefined): Steps<FieldError[]> {
    const { schema, scale } = this.#rules;
    return [...(yield* schema().validateInSteps(object, old)), ...(scale === undefined ? [] : [...validateScaleSpec(object, scale), ...validateScaleStatus(object, scale)])];
  }

  prepareForUpdate(_context: OperationContext, object: KubeObject): void {
    this.#requireType(object);
  }

  /** A status write changes nothing but the status, not even labels. */
  prepareForStatusUpdate(_context: OperationContext, object: KubeObject, old: KubeObject): void {
    this.#requireType(object);
    const { managedFields } = object.metadata;
    for (const key of Object.keys(object.metadata)) delete object.metadata[key];
    Object.assign(object.metadata, old.metadata);
    if (managedFields === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = managedFields;
  }

  validateStatusUpdate(_context: OperationContext, object: KubeObject, old: KubeObject): FieldError[] {
    const { schema, scale } = this.#rules;
    return [
      ...schema().validateStatus(object, old),
      ...(scale === undefined ? [] : validateScaleStatus(object, scale)),
    ];
  }

  warningsOnCreate(object: KubeObject): string[] {
    return finalizerWarnings(object.metadata.finalizers ?? []);
  }

  warningsOnUpdate(object: KubeObject, old: KubeObject): string[] {
    const before = new Set(old.metadata.finalizers ?? []);
    return finalizerWarnings((object.metadata.finalizers ?? []).filter((name) => !before.has(name)));
  }

  /** A body of another kind, group or version is refused under the name that it gives itself. */
  #requireType(object: KubeObject): void {
    const { gvk } = this.#rules;
    const { kind = '', apiVersion = '' } = object;
    const errors: FieldError[] = [];
    if (kind !== gvk.kind) errors.push(invalid(path('kind'), kind, `must be ${gvk.kind}`));
    if (apiVersion !== this.#apiVersion) errors.push(invalid(path('apiVersion'), apiVersion, `must be ${this.#apiVersion}`));
    if (errors.length > 0) throw newInvalid({ group: groupOf(apiVersion), kind }, object.metadata.name ?? '', errors);
  }
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
const preference = 'to avoid accidental conflicts with other finalizer writers';

function finalizerWarnings(names: readonly string[]): string[] {
  return [...new Set(names)].sort().flatMap((name) => {
    const texts = isQualifiedName(name);
    if (!name.includes('/') && !standardFinalizers.has(name)) {
      texts.push(`prefer a domain-qualified finalizer name ${name.includes('.') ? 'including a path (/) ' : ''}${preference}`);
    }
    return texts.map((text) => `metadata.finalizers: ${goQuote(name)}: ${text}`);
  });
}
