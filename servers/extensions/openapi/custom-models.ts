import type { DefinitionVersion, DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { refTo, type Describe, type Dialect } from '#shared/endpoints/openapi/model-schema.ts';
import { convertSchema } from './convert-schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** Descriptions in embedded resources. */
const embeddedTexts = {
  apiVersion: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
  kind: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
};

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
    const converted = yield* convertSchema(schema, dialect, (part) => this.#embedded(part, dialect, refer));
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

  /** The schema of an embedded resource. Its apiVersion, kind and metadata are those of every resource. */
  #embedded(schema: JsonObject, dialect: Dialect, refer: (model: string) => void): JsonObject {
    refer(`${meta}.ObjectMeta`);
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    return {
      ...schema,
      required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
      properties: sorted({
        ...properties,
        apiVersion: { description: embeddedTexts.apiVersion, type: 'string' },
        kind: { description: embeddedTexts.kind, type: 'string' },
        metadata: this.#reference('object', `${meta}.ObjectMeta`, dialect),
      }),
    };
  }
}

function sorted(properties: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(properties).sort()) setKey(out, key, properties[key] as JsonValue);
  return out;
}
