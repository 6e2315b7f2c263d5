import type { DefinitionVersion, DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { refTo, type Describe, type Dialect } from '#shared/endpoints/openapi/model-schema.ts';
import { int64Keys, numbersIn } from './document-numbers.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** The name of a kind's model in documents: `example.com`, `v1`, `Wid` → `com.example.v1.Wid`. */
export function modelName(group: string, version: string, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

/**
 * The models of a custom resource: the object and its list (apiextensions-apiserver pkg/controller/openapi/builder).
 */
export class CustomModels {
  readonly #describe: Describe;

  constructor(describe: Describe) {
    this.#describe = describe;
  }

  *object(
    definition: DefinitionView,
    version: DefinitionVersion,
    dialect: Dialect,
    refer: (model: string) => void,
  ): Steps<JsonObject> {
    const { names, preserveUnknownFields } = definition;
    const given = version.schema();
    const schema = given ?? {};
    const extensions = this.#extensions(definition, version, names.kind);
    const opaque =
      given === undefined ||
      (dialect === 'v2' && (preserveUnknownFields || schema['x-kubernetes-preserve-unknown-fields'] === true));
    if (opaque) return { type: 'object', ...extensions };
    refer(`${meta}.ObjectMeta`);
    yield;
    const converted = yield* convert(schema, dialect, (part) => this.#embedded(part, dialect, refer));
    const properties = isObject(converted['properties']) ? converted['properties'] : {};
    const all = sorted({
      ...properties,
      ...this.#typeMeta(),
      metadata: this.#reference('object', `${meta}.ObjectMeta`, dialect),
    });
    return { ...converted, properties: all, ...extensions };
  }

  *list(
    definition: DefinitionView,
    version: DefinitionVersion,
    dialect: Dialect,
    refer: (model: string) => void,
  ): Steps<JsonObject> {
    const { group, names } = definition;
    const item = modelName(group, version.name, names.kind);
    refer(item);
    refer(`${meta}.ListMeta`);
    yield;
    return {
      description: `${names.listKind} is a list of ${names.kind}`,
      type: 'object',
      required: ['items'],
      properties: sorted({
        ...this.#typeMeta(),
        items: {
          description: `List of ${names.plural}. More info: ${conventions}`,
          type: 'array',
          items: { $ref: refTo(item, dialect) },
        },
        metadata: this.#reference('list', `${meta}.ListMeta`, dialect),
      }),
      ...this.#extensions(definition, version, names.listKind),
    };
  }

  #extensions({ group }: DefinitionView, version: DefinitionVersion, kind: string): JsonObject {
    return {
      'x-kubernetes-group-version-kind': [{ group, kind, version: version.name }],
      ...(version.selectableFields.length > 0 && {
        'x-kubernetes-selectable-fields': version.selectableFields.map((path) => ({
          fieldPath: path.replace(/^\./, ''),
        })),
      }),
    };
  }

  #typeMeta(): JsonObject {
    return {
      apiVersion: this.#text('io.k8s.api.core.v1.Pod', 'apiVersion'),
      kind: this.#text('io.k8s.api.core.v1.Pod', 'kind'),
    };
  }

  #text(model: string, field: string): JsonObject {
    const description = this.#describe(model, field);
    return { ...(description === undefined ? {} : { description }), type: 'string' };
  }

  #reference(of: 'object' | 'list', model: string, dialect: Dialect): JsonObject {
    const description = `Standard ${of === 'object' ? "object's" : 'list'} metadata. More info: ${conventions}#${of === 'object' ? 'metadata' : 'types-kinds'}`;
    const $ref = refTo(model, dialect);
    return { description, ...(dialect === 'v3' ? { allOf: [{ $ref }] } : { $ref }) };
  }

  /** The schema of an embedded resource, with apiVersion, kind and metadata added. */
  #embedded(schema: JsonObject, dialect: Dialect, refer: (model: string) => void): JsonObject {
    refer(`${meta}.ObjectMeta`);
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    return {
      ...schema,
      required: [...new Set([...required, 'kind', 'apiVersion'])],
      properties: sorted({
        ...this.#typeMeta(),
        metadata: this.#reference('object', `${meta}.ObjectMeta`, dialect),
        ...properties,
      }),
    };
  }
}

type Embed = (schema: JsonObject) => JsonObject;

/** Converts the schema of a definition for a document. OpenAPI v2 cannot express some members, so they are left out. */
function* convert(schema: JsonObject, dialect: Dialect, embed: Embed): Steps<JsonObject> {
  if (sliceIsOver()) yield;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (dialect === 'v2' && hiddenInV2.has(key)) continue;
    setKey(out, key, yield* convertMember(key, value, dialect, embed));
  }
  if (dialect === 'v2') return plainV2(out);
  if (out['x-kubernetes-int-or-string'] === true && out['anyOf'] === undefined && out['allOf'] === undefined) {
    out['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
  }
  return out['x-kubernetes-embedded-resource'] === true ? embed(out) : out;
}

const hiddenInV2: ReadonlySet<string> = new Set(['default', 'nullable', 'oneOf', 'anyOf', 'allOf', 'not']);

function plainV2(schema: JsonObject): JsonObject {
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true && schema['x-kubernetes-int-or-string'] !== true)
    return schema;
  const { type: _type, items: _items, properties: _properties, ...rest } = schema;
  return rest;
}

function* convertMember(key: string, value: JsonValue, dialect: Dialect, embed: Embed): Steps<JsonValue> {
  switch (key) {
    case 'properties':
      return isObject(value) ? yield* convertAll(value, dialect, embed) : value;
    case 'items':
    case 'additionalProperties':
    case 'not':
      return isObject(value) ? yield* convert(value, dialect, embed) : value;
    case 'oneOf':
    case 'anyOf':
    case 'allOf':
      return Array.isArray(value) ? yield* convertItems(value, dialect, embed) : value;
    default:
      return yield* numbersIn(value, dialect, int64Keys.has(key));
  }
}

function* convertItems(list: readonly JsonValue[], dialect: Dialect, embed: Embed): Steps<JsonValue[]> {
  const out: JsonValue[] = [];
  for (const item of list) out.push(isObject(item) ? yield* convert(item, dialect, embed) : item);
  return out;
}

function* convertAll(properties: JsonObject, dialect: Dialect, embed: Embed): Steps<JsonObject> {
  const out: JsonObject = {};
  for (const key of Object.keys(properties).sort()) {
    const value = getKey(properties, key);
    // OpenAPI v2 has no nullable types, so the type of a nullable property is left out.
    const nullable = dialect === 'v2' && isObject(value) && value['nullable'] === true;
    const converted = isObject(value) ? yield* convert(value, dialect, embed) : (value ?? null);
    setKey(out, key, nullable && isObject(converted) ? withoutType(converted) : converted);
  }
  return out;
}

function withoutType({ type: _type, items: _items, properties: _properties, ...rest }: JsonObject): JsonObject {
  return rest;
}

function sorted(properties: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(properties).sort()) setKey(out, key, properties[key] as JsonValue);
  return out;
}
