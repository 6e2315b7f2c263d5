import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** Schemas that are not structural, or nearly so: by name. */
export const structuralSchemaCases: Readonly<Record<string, JsonObject>> = {
  'array without items': { properties: { a: { type: 'array' } } },
  'field without type': { properties: { a: {} } },
  'item without type': { properties: { a: { type: 'array', items: {} } } },
  'additionalProperties without type': { properties: { a: { type: 'object', additionalProperties: {} } } },
  'additionalProperties at the root': { additionalProperties: { type: 'string' } },
  'additionalProperties beside properties': {
    properties: {
      a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } },
    },
  },
  'additionalProperties false beside properties': {
    properties: { a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false } },
  },
  'type of a stranger': { properties: { a: { type: 'integr' } } },
  'type null': { properties: { a: { type: 'null' } } },
  'nullable root': { nullable: true },
  'type below anyOf': { properties: { a: { type: 'string', anyOf: [{ type: 'string' }] } } },
  'default below allOf': { properties: { a: { type: 'string', allOf: [{ default: 'a' }] } } },
  'description and title below oneOf': {
    properties: { a: { type: 'string', oneOf: [{ description: 'd', title: 't', minLength: 1 }] } },
  },
  'nullable below not': { properties: { a: { type: 'string', not: { nullable: true } } } },
  'extensions below anyOf': {
    properties: {
      a: {
        type: 'array',
        items: { type: 'string' },
        anyOf: [
          {
            'x-kubernetes-preserve-unknown-fields': true,
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-int-or-string': true,
          },
        ],
      },
    },
  },
  'list type below allOf': {
    properties: { a: { type: 'array', items: { type: 'string' }, allOf: [{ 'x-kubernetes-list-type': 'set' }] } },
  },
  'map type below allOf': { properties: { a: { type: 'object', allOf: [{ 'x-kubernetes-map-type': 'atomic' }] } } },
  'additionalProperties below anyOf': {
    properties: { a: { type: 'object', anyOf: [{ additionalProperties: { minLength: 1 } }] } },
  },
  'metadata below anyOf': { anyOf: [{ properties: { metadata: {} } }] },
  'property of anyOf that is not declared': {
    properties: { a: { type: 'object', anyOf: [{ properties: { b: { minLength: 1 } } }] } },
  },
  'property of not that is not declared': { not: { required: ['x'], properties: { x: { minLength: 2 } } } },
  'items of allOf that are not declared': {
    properties: { a: { type: 'object', allOf: [{ items: { minLength: 1 } }] } },
  },
  'metadata with more than names': {
    properties: {
      metadata: {
        type: 'object',
        properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
      },
    },
  },
  'metadata with names': {
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } } },
  },
  'metadata of another type': { properties: { metadata: { type: 'string' } } },
  'kind and apiVersion of another type': {
    properties: { kind: { type: 'integer' }, apiVersion: { type: 'object' } },
  },
  'default in metadata': {
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'a' } } } },
  },
  'embedded resource without type': {
    properties: { a: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true } },
  },
  'embedded resource without properties': {
    properties: { a: { type: 'object', 'x-kubernetes-embedded-resource': true } },
  },
  'embedded resource as a map': {
    properties: {
      a: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        additionalProperties: { type: 'string' },
      },
    },
  },
  'int or string that keeps unknown fields': {
    properties: { a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true } },
  },
  'int or string by its pattern': {
    properties: { a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] } },
  },
  'int or string by a wider pattern': {
    properties: {
      a: {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
      },
    },
  },
  'preserve unknown false': { properties: { a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } } },
  'unique items': { properties: { a: { type: 'array', uniqueItems: true, items: { type: 'string' } } } },
  'items as a list': { properties: { a: { type: 'array', items: [{ type: 'string' }] } } },
  'references and definitions': {
    properties: { a: { $ref: '#/definitions/x' } },
    definitions: { x: { type: 'string' } },
  },
  'patternProperties and dependencies': {
    properties: {
      a: { type: 'object', patternProperties: { '^a': { type: 'string' } }, dependencies: { a: ['b'] } },
    },
  },
  'id and additionalItems': {
    properties: { a: { id: 'x', type: 'array', items: { type: 'string' }, additionalItems: true } },
  },
  'set of objects': {
    properties: { a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } } },
  },
  'set of sets': {
    properties: {
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
    },
  },
  'list type of an object': {
    properties: {
      a: { type: 'object', 'x-kubernetes-list-type': 'atomic' },
      b: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-list-type': 'atomic' },
    },
  },
  'unknown list type': {
    properties: { a: { type: 'array', 'x-kubernetes-list-type': 'bag', items: { type: 'string' } } },
  },
  'unknown map type': {
    properties: {
      a: { type: 'object', 'x-kubernetes-map-type': 'bag' },
      b: { type: 'string', 'x-kubernetes-map-type': 'atomic' },
    },
  },
  'map without keys': {
    properties: { a: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } } },
  },
  'map of strings': {
    properties: {
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'string' },
      },
    },
  },
  'map keys of objects': {
    properties: {
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k', 'k', 'n'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'object' } } },
      },
    },
  },
  'map keys that may be missing or null': {
    properties: {
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', nullable: true, properties: { k: { type: 'string', nullable: true } } },
      },
    },
  },
  'map keys without a map': {
    properties: {
      a: {
        type: 'array',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
      },
    },
  },
  'default of the wrong type': {
    properties: {
      a: { type: 'integer', default: 'x' },
      b: { type: 'object', default: { c: 1, d: 2 }, properties: { c: { type: 'string' } } },
    },
  },
  'default out of bounds': {
    properties: {
      a: { type: 'integer', default: 7, maximum: 5 },
      b: { type: 'string', default: 'abc', enum: ['a', 'b'] },
    },
  },
  'broken pattern at a field': { properties: { a: { type: 'string', minLength: 3, pattern: '^a$' } } },
  'all is well': {
    properties: {
      spec: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string', default: 'x', format: 'date-time' } },
      },
    },
  },
};
