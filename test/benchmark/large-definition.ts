import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const groups = 25;
const version = 'v1';
const words = [
  'the',
  'number',
  'of',
  'replicas',
  'that',
  'are',
  'kept',
  'when',
  'a',
  'node',
  'goes',
  'away',
  'and',
  'its',
  'volumes',
  'cannot',
  'be',
  'reached',
  'from',
  'others',
];

/**
 * A definition without validation rules; its schema has at least so many bytes of JSON. The same for the same index.
 */
export function largeDefinition(index: number, bytes: number): JsonObject {
  const { group, plural, kind } = namesOf(index);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Mode', type: 'string', jsonPath: '.spec.mode' }],
          schema: { openAPIV3Schema: largeSchema(index, bytes) },
        },
      ],
    },
  };
}

/** An object of that definition, and the path of its collection. */
export function objectOf(index: number): { readonly path: string; readonly object: JsonObject } {
  const { group, plural, kind } = namesOf(index);
  return {
    path: `/apis/${group}/${version}/namespaces/default/${plural}`,
    object: {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name: 'first' },
      spec: { mode: 'on', section0: { field1: 'a', list2: [{ name: 'x', weight: 3 }] } },
    },
  };
}

function namesOf(index: number): { readonly group: string; readonly plural: string; readonly kind: string } {
  return { group: `g${index % groups}.many.example.com`, plural: `things${index}`, kind: `Thing${index}` };
}

function largeSchema(index: number, bytes: number): JsonObject {
  const next = pseudoRandom(index + 1);
  const sections: JsonObject = { mode: { type: 'string', enum: ['on', 'off'], default: 'on' } };
  for (let at = 0, made = 0; made < bytes; at++) {
    const section: JsonObject = { type: 'object', description: text(next, 25), properties: fields(next) };
    sections[`section${at}`] = section;
    made += JSON.stringify(section).length + 12;
  }
  return {
    type: 'object',
    description: text(next, 20),
    properties: {
      spec: { type: 'object', properties: sections },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
}

function fields(next: () => number): JsonObject {
  const made: JsonObject = {};
  for (let at = 0; at < 12; at++) {
    const description = text(next, 10 + Math.floor(next() * 20));
    if (at % 6 === 0)
      made[`count${at}`] = {
        type: 'integer',
        format: 'int32',
        minimum: 0,
        maximum: 1000 + Math.floor(next() * 1000),
        description,
      };
    else if (at % 6 === 1)
      made[`field${at}`] = {
        type: 'string',
        maxLength: 63,
        pattern: `^[a-z]([-a-z0-9]{0,${10 + Math.floor(next() * 50)}})?$`,
        description,
      };
    else if (at % 6 === 2)
      made[`list${at}`] = {
        type: 'array',
        maxItems: 32,
        description,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', description: text(next, 12) },
            weight: { type: 'integer', default: 1, description: text(next, 12) },
          },
        },
      };
    else if (at % 6 === 3)
      made[`kind${at}`] = {
        type: 'string',
        enum: Array.from({ length: 5 }, () => word(next)).filter((value, place, all) => all.indexOf(value) === place),
        description,
      };
    else if (at % 6 === 4)
      made[`labels${at}`] = { type: 'object', additionalProperties: { type: 'string' }, description };
    else
      made[`port${at}`] = {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
        description,
      };
  }
  return made;
}

function text(next: () => number, length: number): string {
  return Array.from({ length }, () => word(next)).join(' ');
}

function word(next: () => number): string {
  return words[Math.floor(next() * words.length)] ?? '';
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
