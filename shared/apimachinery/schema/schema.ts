import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { TypeView } from './type-view.ts';

/**
 * The schema of any type. Schemas of built-in types are loaded from the facts (`shared/api`), those of custom resources
 * from their structural schema; decoding, defaulting, protobuf, patches, apply, OpenAPI and Table all walk them.
 */
export type Schema = StructSchema | ListSchema | MapSchema | ScalarSchema;

/** An object with declared fields. */
export interface StructSchema {
  readonly kind: 'struct';
  /** OpenAPI model name such as `io.k8s.api.core.v1.PodSpec`; empty for an anonymous object of a CRD. */
  readonly name: string;
  /** Go type name, for error texts: `Pod`, `PodSpec`; empty for an anonymous object. */
  readonly goName: string;
  /** In declared order, which is the order of the canonical JSON. An inline struct is one field with `inline`. */
  readonly fields: readonly Field[];
  /** JSON fields by name, inline structs flattened into their parent. */
  readonly byName: ReadonlyMap<string, Field>;
  /** All JSON fields in canonical order, inline structs flattened. */
  readonly flat: readonly Field[];
  /** `atomic`: server-side apply treats the whole object as one value (`x-kubernetes-map-type`). */
  readonly mapType?: 'atomic' | 'granular' | undefined;
  /** Fields that the schema does not name are kept (CRDs only). */
  readonly preserveUnknown?: boolean;
  /** Group, version, kind if this is a top-level object. */
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string } | undefined;
  /**
   * The JSON is not an object with these fields, which serve protobuf only, but has one of two forms (apiextensions):
   * `orArray`: a JSONSchemaProps object or a list of them; `orBool`: such an object or true/false; `orStringArray`:
   * such an object or a list of strings. In Go order of fields: `Schema, JSONSchemas`, `Allows, Schema`, `Schema,
   * Property`.
   */
  readonly jsonForm?: 'orArray' | 'orBool' | 'orStringArray' | undefined;
  /** `x-kubernetes-unions`, for OpenAPI documents only. */
  readonly unions?: JsonValue | undefined;
  /** For custom resources: the shape comes from the user's schema instead of declared fields. */
  readonly custom?: CustomShape | undefined;
}

/**
 * The shape of a custom resource, as its definition declares it. Objects of this shape are printed with sorted keys;
 * these functions process decoded objects.
 */
export interface CustomShape {
  /**
   * Prunes a decoded document in place: unknown fields are removed. Returns the errors of strict decoding for them
   * (`unknown field "spec.foo"`), in the reference's order. Throws an Error in the words of Go's decoder for metadata
   * of a wrong type.
   */
  conform(object: JsonObject): Steps<string[]>;
  /** As `conform`, for a stored object: metadata fields of a wrong type are removed. */
  conformStored(object: JsonObject): Steps<void>;
  /** As `conform`, for the metadata alone. */
  conformMetadata(object: JsonObject): Steps<string[]>;
  /** Sets defaults in place; returns whether any was set. */
  applyDefaults(object: JsonObject): Steps<boolean>;
  /** The type as server-side apply sees it. Created on first use. */
  readonly view: TypeView;
}

export interface Field {
  /** JSON name; empty for an inline struct. */
  readonly name: string;
  /** Go field name, for error texts (`Spec.Containers`). */
  readonly goName: string;
  /** Protobuf field number; 0 where the field has none (TypeMeta). */
  readonly number: number;
  readonly schema: Schema;
  /** An embedded struct whose JSON fields are fields of the parent, while protobuf nests it as a message. */
  readonly inline: boolean;
  /** Go pointer: absent and zero differ. Without it an absent scalar means its zero value. */
  readonly pointer: boolean;
  /**
   * `omitempty` of encoding/json: false, 0, "", nil, empty list and empty map are left out; a struct by value never is.
   */
  readonly omitEmpty: boolean;
  /** `omitzero`: the zero value of any kind is left out (a struct whose fields are all zero). */
  readonly omitZero: boolean;
  /** OpenAPI `required`. */
  readonly required: boolean;
  /** Constant default by `+default` markers; set when the field is absent (and its parent is present). */
  readonly default?: JsonValue;
  readonly enum?: readonly string[];
  /** Enum of a list's items or a map's values. */
  readonly itemEnum?: readonly string[];
  /** `x-kubernetes-patch-strategy`, split at commas: `merge`, `replace`, `retainKeys`. */
  readonly patchStrategy?: readonly string[];
  readonly patchMergeKey?: string;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** `x-kubernetes-map-type` on the field. */
  readonly mapType?: 'atomic' | 'granular';
  /** The field has OpenAPI's zero-value default although the rule gives it none, or the other way round. */
  readonly oddZeroDefault?: boolean;
}

export interface ListSchema {
  readonly kind: 'list';
  readonly items: Schema;
  /** Items are Go pointers (a null item is kept as null). */
  readonly itemPointer?: boolean;
  /** In protobuf a message with `repeated items = 1` (authentication ExtraValue, meta Verbs). */
  readonly wrapped?: boolean;
  /** The Go type's name, if the type or its items have one (`[]v1.KeyUsage`). */
  readonly goType?: string;
}

export interface MapSchema {
  readonly kind: 'map';
  readonly values: Schema;
  readonly goType?: string;
}

/**
 * `time`, `microTime`, `duration`, `quantity`, `intOrString`, `rawExtension`, `fieldsV1` and `json` are messages in
 * protobuf and single values in JSON. `json` is any JSON value (apiextensions JSON). `bytes` is base64 in JSON.
 */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'float'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'rawExtension'
  | 'fieldsV1'
  | 'json';

export interface ScalarSchema {
  readonly kind: 'scalar';
  readonly goType?: string;
  readonly type: ScalarType;
  /** OpenAPI format where it is not implied by the type. */
  readonly format?: string;
}
