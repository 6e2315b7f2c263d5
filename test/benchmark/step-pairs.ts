import { loadFacts } from '#shared/api/load-facts.ts';
import { cloneInSteps, cloneJson, shallowCopy, shallowCopyInSteps } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import {
  deepEqual,
  deepEqualInSteps,
  semanticEqualAs,
  semanticEqualAsInSteps,
} from '#shared/apimachinery/schema/deep-equal.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { jsonText } from '#shared/serializer/json/encode.ts';
import { sortedKeys, sortedKeysInSteps, quoteJson } from '#shared/serializer/json/go-text.ts';
import { looseTextInSteps, rawTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';
import { looseText, rawText } from '#shared/serializer/json/loose.ts';
import { quoteJsonInSteps } from '#shared/serializer/json/quoted-pieces.ts';
import { decodeProtobuf, decodeProtobufInSteps } from '#shared/serializer/protobuf/decode.ts';
import { encodeProtobufInSteps } from '#shared/serializer/protobuf/encode-in-steps.ts';
import { encodeProtobuf } from '#shared/serializer/protobuf/encode.ts';
import { configMapFixture, podFixture } from '#shared/serializer/testdata/bench-objects.ts';

/** An object with what the functions of the pairs take. */
export interface Subject {
  readonly object: JsonObject;
  /** Equal to the object, but shares no part with it. */
  readonly copy: JsonObject;
  readonly schema: StructSchema;
  readonly bytes: Uint8Array;
  /** A text in the object, the longest. */
  readonly text: string;
}

/** A function that exists twice: `x` works at once, `xInSteps` looks at the clock. */
export interface StepPair {
  readonly name: string;
  readonly plain: (subject: Subject) => unknown;
  readonly inSteps: (subject: Subject) => Steps<unknown>;
}

/** All functions that exist twice. One that does not pay (see README.md) becomes a generator alone. */
export const stepPairs: readonly StepPair[] = [
  { name: 'clone', plain: ({ object }) => cloneJson(object), inSteps: ({ object }) => cloneInSteps(object) },
  {
    name: 'shallowCopy',
    plain: ({ object }) => shallowCopy(object),
    inSteps: ({ object }) => shallowCopyInSteps(object),
  },
  {
    name: 'deepEqual',
    plain: ({ object, copy }) => deepEqual(object, copy),
    inSteps: ({ object, copy }) => deepEqualInSteps(object, copy),
  },
  {
    name: 'semanticEqualAs',
    plain: ({ schema, object, copy }) => semanticEqualAs(schema, object, copy),
    inSteps: ({ schema, object, copy }) => semanticEqualAsInSteps(schema, object, copy),
  },
  {
    name: 'jsonText',
    plain: ({ schema, object }) => jsonText(schema, object),
    inSteps: ({ schema, object }) => jsonTextInSteps(schema, object),
  },
  { name: 'looseText', plain: ({ object }) => looseText(object), inSteps: ({ object }) => looseTextInSteps(object) },
  { name: 'rawText', plain: ({ object }) => rawText(object), inSteps: ({ object }) => rawTextInSteps(object) },
  { name: 'quoteJson', plain: ({ text }) => quoteJson(text), inSteps: ({ text }) => quoteJsonInSteps(text) },
  {
    name: 'sortedKeys',
    plain: ({ object }) => sortedKeys(object),
    inSteps: ({ object }) => sortedKeysInSteps(object),
  },
  {
    name: 'encodeProtobuf',
    plain: ({ schema, object }) => encodeProtobuf(schema, object),
    inSteps: ({ schema, object }) => encodeProtobufInSteps(schema, object),
  },
  {
    name: 'decodeProtobuf',
    plain: ({ schema, bytes }) => decodeProtobuf(schema, bytes),
    inSteps: ({ schema, bytes }) => decodeProtobufInSteps(schema, bytes),
  },
];

/** A small and a large object of each kind. */
export const subjects: Readonly<Record<string, Subject>> = {
  'small Pod': subjectOf('Pod', podFixture),
  'small ConfigMap': subjectOf('ConfigMap', configMapFixture),
  'Pod of 300 KB': subjectOf('Pod', largePod()),
  'ConfigMap of 1 MB': subjectOf('ConfigMap', largeConfigMap()),
};

function subjectOf(kind: string, object: JsonObject): Subject {
  const schema = loadFacts().schema('', 'v1', kind);
  if (schema === undefined) throw new Error(`the facts have no schema of ${kind}`);
  return {
    object,
    copy: cloneJson(object),
    schema,
    bytes: encodeProtobuf(schema, object),
    text: longestText(object),
  };
}

function largePod(): JsonObject {
  const spec = podFixture['spec'] as JsonObject;
  const [container] = spec['containers'] as JsonObject[];
  const containers = Array.from({ length: 500 }, (_, at) => ({ ...cloneJson(container ?? {}), name: `c${at}` }));
  return { ...podFixture, spec: { ...spec, containers } };
}

function largeConfigMap(): JsonObject {
  const entries = Array.from({ length: 8000 }, (_, at) => [`key-${at}`, `value ${at} `.repeat(10)] as const);
  return {
    ...configMapFixture,
    data: Object.fromEntries<JsonValue>([...entries, ['text', 'a line of text\n'.repeat(10_000)]]),
  };
}

function longestText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map(longestText)
    .reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
