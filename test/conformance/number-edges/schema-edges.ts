import { edgeValues, printed } from './edge-values.ts';

const numeric = ['maximum', 'minimum', 'multipleOf', 'default', 'enum', 'example'];
const ofTexts = ['maxLength', 'minLength'];
const ofLists = ['maxItems', 'minItems'];
const ofMaps = ['maxProperties', 'minProperties'];

const types: readonly { readonly schema: object; readonly keywords: readonly string[] }[] = [
  { schema: { type: 'integer' }, keywords: numeric },
  { schema: { type: 'integer', format: 'int32' }, keywords: numeric },
  { schema: { type: 'integer', format: 'int64' }, keywords: numeric },
  { schema: { type: 'number' }, keywords: numeric },
  { schema: { type: 'number', format: 'float' }, keywords: numeric },
  { schema: { type: 'number', format: 'double' }, keywords: numeric },
  { schema: { 'x-kubernetes-int-or-string': true }, keywords: ['default', 'enum', 'maximum'] },
  { schema: { 'x-kubernetes-preserve-unknown-fields': true }, keywords: ['default', 'example'] },
  { schema: { type: 'string' }, keywords: [...ofTexts, 'example'] },
  { schema: { type: 'array', items: { type: 'integer' } }, keywords: [...ofLists, 'default'] },
  { schema: { type: 'object', additionalProperties: { type: 'integer' } }, keywords: [...ofMaps, 'default'] },
];

/** A property of a schema with one numeric keyword at an edge. */
export interface EdgeProperty {
  readonly what: string;
  readonly value: string;
  readonly schema: object;
}

/** Each numeric keyword of each type with each edge value. */
export function edgeProperties(): EdgeProperty[] {
  return types.flatMap(({ schema, keywords }) =>
    keywords.flatMap((keyword) =>
      edgeValues('int64').map((value) => ({
        what: `${printed(schema)} ${keyword}: ${value}`,
        value,
        schema: { ...schema, [keyword]: contentOf(schema, keyword, value) },
      })),
    ),
  );
}

function contentOf(schema: object, keyword: string, value: string): unknown {
  if (keyword === 'enum') return [value, 1];
  if (keyword !== 'default' || !('type' in schema)) return value;
  return schema.type === 'array' ? [value] : schema.type === 'object' ? { a: value } : value;
}

/** A definition of one kind in a group of its own, with these properties below `spec`. */
export function definitionOf(group: string, properties: Readonly<Record<string, object>>): object {
  const names = { plural: 'edges', singular: 'edge', kind: 'Edge', listKind: 'EdgeList' };
  const columns = Object.keys(properties).map((name) => ({
    name,
    type: name.startsWith('integer') ? 'integer' : 'number',
    jsonPath: `.spec.${name}`,
  }));
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `edges.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names,
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, additionalPrinterColumns: columns },
      ],
    },
  };
}
