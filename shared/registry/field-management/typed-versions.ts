import { cloneJson } from '../../apimachinery/clone.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../apimachinery/gvk.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { canonicalObject, canonicalObjectInSteps } from '../../apimachinery/managed-fields/canonical-object.ts';
import { validateTyped, validateTypedInSteps } from '../../apimachinery/managed-fields/validate-typed.ts';
import type { TypeView } from '../../apimachinery/type-view.ts';
import { TypedValueError, type TypedError, type TypedValue } from '../../apimachinery/managed-fields/typed-value.ts';
import type { VersionConverter } from '../../apimachinery/managed-fields/updater.ts';
import { asKubeObject, type KubeObject } from '../../apimachinery/object.ts';
import type { StructSchema } from '../../apimachinery/schema.ts';
import { atOnce, type Steps } from '../../apimachinery/slices.ts';
import { conform } from '../../serializer/json/conform.ts';

/** One version of a kind, as field management sees its objects. */
export interface TypedVersion {
  readonly kind: GroupVersionKind;
  readonly schema: StructSchema;
  /** Made when first asked for. */
  readonly view: TypeView;
}

export interface TypedVersionsOptions {
  readonly own: TypedVersion;
  /** The version of that name, if it exists; not asked for the own one. */
  readonly other: (apiVersion: string) => TypedVersion | undefined;
  /** An object from one version in another; may change and keep what it is given. */
  readonly convert: (object: KubeObject, from: TypedVersion, to: TypedVersion) => KubeObject;
}

/** Objects of a kind as typed values: in the version of the requests, and from there in the others. */
export class TypedVersions implements VersionConverter {
  readonly #options: TypedVersionsOptions;
  readonly #apiVersion: string;
  #empty: TypedValue | undefined;

  constructor(options: TypedVersionsOptions) {
    this.#options = options;
    this.#apiVersion = formatGroupVersion(options.own.kind);
  }

  /** The state of an object before it is created. */
  get empty(): TypedValue {
    this.#empty ??= this.typed({ metadata: {} });
    return this.#empty;
  }

  /**
   * An object of the own version, without its managers.
   * @throws TypedValueError where a custom resource does not fit its type
   */
  typed(object: KubeObject): TypedValue {
    return atOnce(this.typedInSteps(object));
  }

  /** As {@link typed}, for large objects. */
  typedInSteps(object: KubeObject): Steps<TypedValue> {
    return typedAs(object, this.#options.own);
  }

  /**
   * What of an object of the own version does not fit its type, items that repeat aside; undefined where all fits. Of a
   * built-in type this may be items without keys, which decoding lets pass and which are met when values are merged.
   */
  misfit(object: KubeObject): TypedValueError | undefined {
    const errors = validateTyped(atOnce(uncheckedAs(object, this.#options.own)), { allowDuplicates: true });
    return errors.length > 0 ? new TypedValueError(errors) : undefined;
  }

  /**
   * What a client applies, taken as it is.
   * @throws TypedValueError where it does not fit the type
   */
  validated(config: JsonObject): Steps<TypedValue> {
    return checked({ value: config, type: this.#options.own.view });
  }

  /**
   * @throws TypedValueError for a version that a definition does not have any more (only built-in ones are forgotten),
   * or that is no version
   */
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined {
    const object = value.value as KubeObject;
    if (object.apiVersion === apiVersion) return value;
    if (apiVersion.split('/').length > 2)
      throw new TypedValueError([{ path: '', message: `unexpected GroupVersion string: ${apiVersion}` }]);
    const from = this.#version(object.apiVersion ?? '');
    const to = this.#version(apiVersion);
    if (to === undefined && this.#options.own.schema.custom !== undefined)
      throw new TypedValueError([
        { path: '', message: `request to convert CR to an invalid group/version: ${apiVersion}` },
      ]);
    if (from === undefined || to === undefined) return undefined;
    if (to.schema.custom !== undefined) return atOnce(checked({ value: { ...object, apiVersion }, type: to.view }));
    // What came from a client's configuration is not conformed yet, and what was pruned may lack its metadata.
    const conformed = conform(from.schema, cloneJson(object), { strict: false }).object;
    return atOnce(typedAs(this.#options.convert(asKubeObject(canonicalObject(from.schema, conformed)), from, to), to));
  }

  #version(apiVersion: string): TypedVersion | undefined {
    return apiVersion === this.#apiVersion ? this.#options.own : this.#options.other(apiVersion);
  }
}

function* typedAs(object: KubeObject, version: TypedVersion): Steps<TypedValue> {
  const typed = yield* uncheckedAs(object, version);
  // Only built-in types fit by their decoding.
  if (version.schema.custom === undefined) return typed;
  if (object.apiVersion !== undefined && object.apiVersion !== formatGroupVersion(version.kind))
    throw new TypedValueError([
      { path: 'apiVersion', message: `request to convert CR from an invalid group/version: ${object.apiVersion}` },
    ]);
  if (object.kind !== undefined && object.kind !== version.kind.kind)
    throw new TypedValueError([{ path: 'kind', message: `no corresponding type for ${object.kind}` }]);
  return yield* fitting(typed, yield* validateTypedInSteps(typed, { allowDuplicates: true }));
}

function* uncheckedAs(object: KubeObject, version: TypedVersion): Steps<TypedValue> {
  const { managedFields: _managers, ...metadata } = object.metadata;
  const plain = { ...object, apiVersion: formatGroupVersion(version.kind), kind: version.kind.kind, metadata };
  return {
    value: version.schema.custom === undefined ? yield* canonicalObjectInSteps(version.schema, plain) : plain,
    type: version.view,
  };
}

function* checked(typed: TypedValue): Steps<TypedValue> {
  return yield* fitting(typed, yield* validateTypedInSteps(typed, { allowDuplicates: false }));
}

function* fitting(typed: TypedValue, errors: readonly TypedError[]): Steps<TypedValue> {
  if (errors.length > 0) throw yield* TypedValueError.inSteps(errors);
  return typed;
}
