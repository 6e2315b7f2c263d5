import { childOf, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import type { ObjectMeta } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { validateObjectMeta } from '#shared/apimachinery/validation/meta-validation.ts';
import { isDNS1035Label, nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { printedValue } from './printed-value.ts';
import type { SchemaNode } from './schema-node.ts';
import { wellFormedFields } from './well-formed.ts';

type Visit = (resource: JsonObject, at: Path | undefined) => void;

/** Whether the values of a schema are embedded resources. */
export function isEmbedded(schema: JsonObject): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

/** Visits each embedded resource, the outer ones first. */
function* visitEmbedded(
  value: JsonValue,
  schema: SchemaNode | undefined,
  at: Path | undefined,
  visit: Visit,
): Steps<void> {
  if (sliceIsOver()) yield;
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined)
      for (const [index, item] of value.entries()) yield* visitEmbedded(item, items, at?.index(index), visit);
    return;
  }
  if (schema.embedded) visit(value, at);
  for (const key of Object.keys(value)) {
    const declared = schema.properties.get(key);
    const below = declared !== undefined ? childOf(at, key) : at?.key(key);
    yield* visitEmbedded(value[key] as JsonValue, declared ?? schema.additional, below, visit);
  }
}

/** Thrown if metadata, apiVersion or kind of an embedded resource has a wrong type. */
export class MalformedResource extends Error {
  readonly fieldError: FieldError;

  constructor(fieldError: FieldError) {
    super(fieldErrorText(fieldError));
    this.fieldError = fieldError;
  }
}

/**
 * Brings the metadata of embedded resources into the form of ObjectMeta
 * (apiextensions-apiserver/pkg/apiserver/schema/objectmeta). Returns the paths of unknown fields. Throws {@link
 * MalformedResource}.
 */
export function* coerceEmbedded(object: JsonValue, schema: SchemaNode, objectMeta: StructSchema): Steps<string[]> {
  const unknown: string[] = [];
  yield* visitEmbedded(object, schema, undefined, (resource, at) => {
    for (const key of ['apiVersion', 'kind']) {
      if (getKey(resource, key) !== undefined && typeof getKey(resource, key) !== 'string')
        throw new MalformedResource(invalid(childOf(at, key), printedValue(getKey(resource, key)), 'must be a string'));
    }
    const { metadata } = resource;
    if (metadata === undefined) return;
    const path = childOf(at, 'metadata');
    try {
      const { object: conformed, strictErrors } = atOnce(conform(objectMeta, cloneJson(metadata), { strict: true }));
      resource['metadata'] = atOnce(canonicalObject(objectMeta, conformed));
      for (const text of strictErrors) unknown.push(`${path.toString()}.${/"(.*)"/.exec(text)?.[1] ?? text}`);
    } catch (error) {
      if (error instanceof TypeError || !(error instanceof Error)) throw error;
      throw new MalformedResource(invalid(path, printedValue(metadata), error.message));
    }
  });
  return unknown.toSorted();
}

/** Removes the parts for which {@link coerceEmbedded} throws. */
export function* dropMalformedParts(object: JsonValue, schema: SchemaNode, objectMeta: StructSchema): Steps<void> {
  yield* visitEmbedded(object, schema, undefined, (resource) => {
    for (const key of ['apiVersion', 'kind']) if (typeof getKey(resource, key) !== 'string') delete resource[key];
    const { metadata } = resource;
    if (isObject(metadata)) resource['metadata'] = wellFormedFields(objectMeta, metadata);
    else delete resource['metadata'];
  });
}

/** Validates that embedded resources have apiVersion and kind, and that their metadata is valid. */
export function* validateEmbedded(
  value: JsonValue,
  schema: SchemaNode,
  objectMeta: StructSchema,
  at?: Path,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  yield* visitEmbedded(value, schema, at, (resource, path) => {
    for (const error of validateResource(resource, objectMeta, path)) errors.push(error);
  });
  return errors;
}

function validateResource(resource: JsonObject, objectMeta: StructSchema, at: Path | undefined): FieldError[] {
  const { apiVersion, kind, metadata } = resource;
  const errors: FieldError[] = [];
  if (apiVersion === undefined) errors.push(required(childOf(at, 'apiVersion'), ''));
  else errors.push(...validateApiVersion(apiVersion, childOf(at, 'apiVersion')));
  if (kind === undefined) errors.push(required(childOf(at, 'kind'), ''));
  else errors.push(...validateKind(kind, childOf(at, 'kind')));
  return metadata === undefined
    ? errors
    : [...errors, ...validateMetadata(metadata, objectMeta, childOf(at, 'metadata'))];
}

function validateMetadata(metadata: JsonValue, objectMeta: StructSchema, at: Path): FieldError[] {
  try {
    const meta: ObjectMeta = atOnce(conform(objectMeta, cloneJson(metadata), { strict: false })).object;
    if (!meta.name) meta.name = 'fakename';
    return atOnce(validateObjectMeta(meta, Boolean(meta.namespace), nameIsPathSegment, at));
  } catch (error) {
    if (error instanceof TypeError || !(error instanceof Error)) throw error;
    return [invalid(at, printedValue(metadata), error.message)];
  }
}

function validateApiVersion(value: JsonValue, at: Path): FieldError[] {
  if (typeof value !== 'string') return [invalid(at, value, 'must be a string')];
  if (value === '') return [invalid(at, value, 'must not be empty')];
  try {
    parseGroupVersion(value);
    return [];
  } catch (error) {
    return [invalid(at, value, error instanceof Error ? error.message : String(error))];
  }
}

function validateKind(value: JsonValue, at: Path): FieldError[] {
  if (typeof value !== 'string') return [invalid(at, value, 'must be a string')];
  if (value === '') return [invalid(at, value, 'must not be empty')];
  const messages = isDNS1035Label(value.toLowerCase());
  return messages.length === 0
    ? []
    : [invalid(at, value, `may have mixed case, but should otherwise match: ${messages.join(',')}`)];
}
