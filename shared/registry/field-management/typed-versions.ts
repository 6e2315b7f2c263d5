import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import { TypedValueError, type TypedError, type TypedValue } from '#shared/apimachinery/managed-fields/typed-value.ts';
import { validateTyped } from '#shared/apimachinery/managed-fields/validate-typed.ts';
import type { VersionConverter } from '#shared/apimachinery/managed-fields/version-converter.ts';
import { asKubeObject, type KubeObject, type ObjectMeta } from '#shared/apimachinery/object.ts';
import { holdsRawJson } from '#shared/apimachinery/schema/raw-json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { TypeView } from '#shared/apimachinery/schema/type-view.ts';
import { atOnce, doneWith, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';

/** One version of a kind, as field management sees its objects. */
export interface TypedVersion {
  readonly kind: GroupVersionKind;
  readonly schema: StructSchema;
  /** Made at its first use. */
  readonly view: TypeView;
}

export interface TypedVersionsOptions {
  readonly own: TypedVersion;
  /** The version of this name, if it exists; not called for `own`. */
  readonly other: (apiVersion: string) => TypedVersion | undefined;
  /** Converts an object from one version to another; may change the given object and reuse its parts. */
  readonly convert: (object: KubeObject, from: TypedVersion, to: TypedVersion) => KubeObject;
  /**
   * Converts a custom resource by a webhook. Absent where versions of a custom resource differ only in apiVersion.
   * @throws TypedValueError where the webhook fails
   */
  readonly convertCustom?: ((object: KubeObject, apiVersion: string) => Steps<KubeObject>) | undefined;
}

/** Turns objects of a kind into typed values, in the version of the requests, and converts these to other versions. */
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
    this.#empty ??= atOnce(this.typed({ metadata: {} }));
    return this.#empty;
  }

  /**
   * The typed value of an object in the version of the requests, without its managed fields.
   *
   * @param isPrinted whether it was parsed from the JSON of its type, and is in the form of a typed value already
   * @throws TypedValueError if a custom resource does not fit its type
   */
  typed(object: KubeObject, isPrinted = false): Steps<TypedValue> {
    const { own } = this.#options;
    // Of lists that keep raw JSON, the canonical form is noted.
    const isCanonical = isPrinted && own.schema.custom === undefined && !holdsRawJson(own.schema);
    return isCanonical ? doneWith(typedValue(object, own)) : typedAs(object, own);
  }

  /**
   * The error if an object in the version of the requests does not fit its type; duplicate items are allowed. A
   * built-in object can have list items without keys: decoding accepts these, but merging fails.
   */
  misfit(object: KubeObject): TypedValueError | undefined {
    const typed = atOnce(uncheckedAs(object, this.#options.own));
    const errors = atOnce(validateTyped(typed, { allowDuplicates: true }));
    return errors.length > 0 ? new TypedValueError(errors) : undefined;
  }

  /**
   * The typed value of an apply configuration, unchanged.
   * @throws TypedValueError if it does not fit the type
   */
  validated(config: JsonObject): Steps<TypedValue> {
    return checked({ value: config, type: this.#options.own.view });
  }

  /**
   * @throws TypedValueError for a malformed version, and for a version that a CustomResourceDefinition no longer has;
   * for unknown versions of built-in types the result is undefined
   */
  *convert(value: TypedValue, apiVersion: string): Steps<TypedValue | undefined> {
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
    if (to.schema.custom !== undefined)
      return yield* checked({ value: yield* this.#custom(object, apiVersion), type: to.view });
    // Values from an apply configuration are not conformed yet, and pruned objects may lack metadata.
    const conformed = yield* conform(from.schema, cloneJson(object), { strict: false });
    const canonical = asKubeObject(yield* canonicalObject(from.schema, conformed.object));
    return yield* typedAs(this.#options.convert(canonical, from, to), to);
  }

  /** As in the reference, an object of another version is converted through the version of the requests. */
  *#custom(object: KubeObject, apiVersion: string): Steps<KubeObject> {
    const { convertCustom } = this.#options;
    if (convertCustom === undefined) return { ...object, apiVersion };
    const own = object.apiVersion === this.#apiVersion ? object : yield* convertCustom(object, this.#apiVersion);
    return apiVersion === this.#apiVersion ? own : yield* convertCustom(own, apiVersion);
  }

  #version(apiVersion: string): TypedVersion | undefined {
    return apiVersion === this.#apiVersion ? this.#options.own : this.#options.other(apiVersion);
  }
}

function* typedAs(object: KubeObject, version: TypedVersion): Steps<TypedValue> {
  const typed = yield* uncheckedAs(object, version);
  // Objects of built-in types were checked when they were decoded.
  if (version.schema.custom === undefined) return typed;
  if (object.apiVersion !== undefined && object.apiVersion !== formatGroupVersion(version.kind))
    throw new TypedValueError([
      { path: 'apiVersion', message: `request to convert CR from an invalid group/version: ${object.apiVersion}` },
    ]);
  if (object.kind !== undefined && object.kind !== version.kind.kind)
    throw new TypedValueError([{ path: 'kind', message: `no corresponding type for ${object.kind}` }]);
  return yield* fitting(typed, yield* validateTyped(typed, { allowDuplicates: true }));
}

function* uncheckedAs(object: KubeObject, version: TypedVersion): Steps<TypedValue> {
  const typed = typedValue(object, version);
  if (version.schema.custom !== undefined) return typed;
  return { value: yield* canonicalObject(version.schema, typed.value as KubeObject), type: typed.type };
}

function typedValue(object: KubeObject, version: TypedVersion): TypedValue {
  return { value: copyForOwners(object, formatGroupVersion(version.kind), version.kind.kind), type: version.view };
}

/** A shallow copy of an object as field management compares it: of this type, and without managed fields. */
function copyForOwners(object: KubeObject, apiVersion: string, kind: string): KubeObject {
  const metadata: ObjectMeta = {};
  for (const key of Object.keys(object.metadata))
    if (key !== 'managedFields') setKey(metadata, key, object.metadata[key] ?? null);
  return { ...object, apiVersion, kind, metadata };
}

function* checked(typed: TypedValue): Steps<TypedValue> {
  return yield* fitting(typed, yield* validateTyped(typed, { allowDuplicates: false }));
}

function* fitting(typed: TypedValue, errors: readonly TypedError[]): Steps<TypedValue> {
  if (errors.length > 0) throw yield* TypedValueError.inSteps(errors);
  return typed;
}
