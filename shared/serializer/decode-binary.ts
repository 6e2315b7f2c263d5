import {
  formatGroupVersion,
  parseGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
} from '#shared/apimachinery/gvk.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeCbor } from './cbor/decode-typed.ts';
import { parseCbor } from './cbor/decode-value.ts';
import { diagnose } from './cbor/diagnose.ts';
import { readTypeMeta } from './cbor/type-meta.ts';
import { checkWellFormed } from './cbor/well-formed.ts';
import { DecodeError, notRegisteredText } from './decode-errors.ts';
import { conform } from './json/conform.ts';
import type { MediaType } from './negotiate.ts';
import { isOldVersion } from './old-versions.ts';
import { attempt } from './parse-body.ts';
import type { SchemaLookup } from './schema-lookup.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface DecodeBodyOptions {
  /**
   * The default where the body does not name its type: the kind of the resource, and the group and version of the URL.
   */
  readonly defaultGvk: GroupVersionKind;
  /**
   * `Strict` refuses unknown and duplicate fields, `Warn` returns them as `strictErrors`, `Ignore` does not report
   * them.
   */
  readonly fieldValidation: FieldValidation;
  /** Error texts without the frame of create and update (`X in version … cannot be handled as a Y`), as for DELETE. */
  readonly plainErrors?: boolean;
  /** Replaces the error text of every body that cannot be decoded. */
  readonly errorText?: string | undefined;
  /** The schema of a custom resource, by which every body is read. */
  readonly custom?: StructSchema | undefined;
  /** The media types that the endpoint reads; default: JSON, YAML and protobuf. */
  readonly mediaTypes?: readonly MediaType[];
}

export interface DecodedBody {
  /** Conformed to its schema, with apiVersion and kind. */
  readonly object: KubeObject;
  /**
   * The body's group, version and kind, with missing parts taken from the default. The caller checks them against the
   * expected ones.
   */
  readonly gvk: GroupVersionKind;
  readonly schema: StructSchema;
  /** `unknown field "spec.foo"`, `duplicate field "a.b"`: one warning each. */
  readonly strictErrors: readonly string[];
}

export function withDefaults(gvk: GroupVersionKind, fallback: GroupVersionKind): GroupVersionKind {
  const kind = gvk.kind === '' ? fallback.kind : gvk.kind;
  const isBare = gvk.version === '' && (gvk.group === '' || gvk.group === fallback.group);
  return isBare ? { group: fallback.group, version: fallback.version, kind } : { ...gvk, kind };
}

/**
 * The schema of a kind. A kind in a removed version is read by its current schema; the caller then reports the wrong
 * version.
 */
export function schemaOf(facts: SchemaLookup, gvk: GroupVersionKind, fallback: GroupVersionKind): StructSchema {
  const known = gvk.kind === fallback.kind && isOldVersion(formatGroupVersion(gvk), gvk.kind) ? fallback : gvk;
  const schema = facts.schema(known.group, known.version, known.kind);
  if (schema === undefined) throw new DecodeError(notRegisteredText(gvk), gvk);
  return schema;
}

/** The group, version and kind that a CBOR body names; an invalid apiVersion counts as absent. */
function interpretCbor(bytes: Buffer): GroupVersionKind {
  return attempt('unable to determine group/version/kind: ', () => {
    checkWellFormed(bytes);
    const { apiVersion, kind } = readTypeMeta(bytes);
    return { ...groupVersionOf(apiVersion), kind };
  });
}

function groupVersionOf(apiVersion: string): GroupVersion {
  return apiVersion.split('/').length > 2 ? { group: '', version: '' } : parseGroupVersion(apiVersion);
}

export function decodeBinary(facts: SchemaLookup, body: Uint8Array, options: DecodeBodyOptions): DecodedBody {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (options.custom !== undefined) return decodeCustomCbor(bytes, options.custom);
  const gvk = withDefaults(interpretCbor(bytes), options.defaultGvk);
  const schema = schemaOf(facts, gvk, options.defaultGvk);
  const { object, unknownField } = attempt('', () => decodeCbor(schema, bytes), gvk);
  const strictErrors = unknownField === undefined || options.fieldValidation === 'Ignore' ? [] : [unknownField];
  return { object: object as KubeObject, gvk, schema, strictErrors };
}

/**
 * Decodes a custom resource in CBOR. Unknown fields are dropped without a report: the reference reports them in JSON
 * and YAML alone (apiextensions-apiserver, DecoderToVersion).
 */
function decodeCustomCbor(bytes: Buffer, schema: StructSchema): DecodedBody {
  const object = readCustomCbor(bytes);
  const named = (name: string): string => {
    const value = getKey(object, name);
    return typeof value === 'string' ? value : '';
  };
  const groupVersion = groupVersionOf(named('apiVersion'));
  const gvk = { ...groupVersion, kind: groupVersion.version === '' && named('apiVersion') !== '' ? '' : named('kind') };
  for (const [name, found] of [
    ['Kind', gvk.kind],
    ['apiVersion', gvk.version],
  ] as const) {
    if (found === '') throw new DecodeError(`Object '${name}' is missing in '${diagnose(bytes)}'`, gvk);
  }
  const conformed = attempt('', () => atOnce(conform(schema, object, { strict: false })), gvk);
  return { object: conformed.object, gvk, schema, strictErrors: [] };
}

function readCustomCbor(bytes: Buffer): JsonObject {
  let value: JsonValue = null;
  let failure: unknown;
  try {
    value = parseCbor(bytes);
  } catch (error) {
    failure = error;
  }
  if (isObject(value) || (value === null && failure === undefined)) return value ?? {};
  const gvk = interpretCbor(bytes);
  return attempt(
    '',
    () => {
      throw failure;
    },
    gvk,
  );
}
