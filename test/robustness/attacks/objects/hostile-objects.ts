import { definitionAttacks, thingAttacks } from './extension-attacks.ts';
import { fill, list, map, nested, type HostileObject, type Member } from './hostile-object.ts';
import { metadataAttacks, type MetadataAttack } from './metadata-attacks.ts';
import { podFields, type FieldAttack } from './pod-attacks.ts';
import * as kinds from './small-objects.ts';
import type { SmallObject } from './small-objects.ts';
import { specAttacks, type SpecAttack } from './spec-attacks.ts';

const none = (): readonly Member[] => [];

function make(
  kind: SmallObject,
  name: string,
  parts: Partial<Pick<HostileObject, 'metadata' | 'members' | 'query'>>,
): HostileObject {
  return { ...kind, name: `${kind.kind} ${name}`, metadata: none, members: () => kind.small, ...parts };
}

function ofMetadata(kind: SmallObject, { name, key, value, query }: MetadataAttack): HostileObject {
  return make(kind, name, { metadata: (bytes) => [[key, value(bytes)]], ...(query === undefined ? {} : { query }) });
}

function ofPod({ name, spec }: FieldAttack): HostileObject {
  return make(kinds.pods, name, { members: (bytes) => [['spec', spec(bytes)]] });
}

function inTemplate(kind: SmallObject, { name, spec }: FieldAttack): HostileObject {
  return make(kind, name, {
    members: (bytes) => [
      [
        'spec',
        `{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":${spec(bytes)}}}`,
      ],
    ],
  });
}

function ofSpec({ kind, name, members, query }: SpecAttack): HostileObject {
  return make(kind, name, { members, ...(query === undefined ? {} : { query }) });
}

/** What any object can be full of besides its own fields. */
const anywhere: readonly SpecAttack[] = [kinds.configMaps, kinds.pods, kinds.deployments, kinds.things].flatMap(
  (kind): SpecAttack[] => [
    {
      kind,
      name: 'unknown fields',
      members: (bytes) => [
        ...kind.small,
        ...Array.from({ length: Math.floor(bytes / 14) }, (_, index): Member => [`u${index}`, '1']),
      ],
    },
    {
      kind,
      name: 'unknown fields under Strict',
      query: 'fieldValidation=Strict',
      members: (bytes) => [
        ...kind.small,
        ...Array.from({ length: Math.floor(bytes / 14) }, (_, index): Member => [`u${index}`, '1']),
      ],
    },
    {
      kind,
      name: 'duplicate keys under Strict',
      query: 'fieldValidation=Strict',
      members: (bytes) => [...kind.small, ...Array.from({ length: Math.floor(bytes / 8) }, (): Member => ['u', '1'])],
    },
    {
      kind,
      name: 'duplicate keys',
      members: (bytes) => [...kind.small, ...Array.from({ length: Math.floor(bytes / 8) }, (): Member => ['u', '1'])],
    },
  ],
);

const data: readonly SpecAttack[] = [
  { kind: kinds.configMaps, name: 'keys', members: (bytes) => [['data', map(bytes, (i) => `"k${i}":""`)]] },
  { kind: kinds.configMaps, name: 'wrong keys', members: (bytes) => [['data', map(bytes, (i) => `"k ${i}":""`)]] },
  {
    kind: kinds.configMaps,
    name: 'keys in both',
    members: (bytes) => [
      ['data', map(bytes / 2, (i) => `"k${i}":""`)],
      ['binaryData', map(bytes / 2, (i) => `"k${i}":""`)],
    ],
  },
  {
    kind: kinds.configMaps,
    name: 'duplicate keys of data',
    query: 'fieldValidation=Strict',
    members: (bytes) => [['data', map(bytes, () => '"k":""')]],
  },
  {
    kind: kinds.configMaps,
    name: 'numbers for text',
    members: (bytes) => [['data', map(bytes, (i) => `"k${i}":1e400`)]],
  },
  {
    kind: kinds.configMaps,
    name: 'escapes',
    members: (bytes) => [['data', `{"a":"${'\\u0001\\ud800\\"'.repeat(bytes / 14)}"}`]],
  },
  { kind: kinds.configMaps, name: 'one long key', members: (bytes) => [['data', `{"${'a'.repeat(bytes)}":""}`]] },
  {
    kind: kinds.configMaps,
    name: 'null bytes',
    members: (bytes) => [['data', `{"a":"${'\\u0000'.repeat(bytes / 6)}"}`]],
  },
  {
    kind: kinds.configMaps,
    name: 'depth',
    members: (bytes) => [['data', fill(bytes, () => nested('{"a":', '1', '}', 9_000)).slice(0, 54_000)]],
  },
  { kind: kinds.configMaps, name: 'spaces', members: (bytes) => [['data', `{${' '.repeat(bytes)}}`]] },
  { kind: kinds.secrets, name: 'wrong base64', members: (bytes) => [['data', map(bytes, (i) => `"k${i}":"!!!!"`)]] },
  {
    kind: kinds.secrets,
    name: 'stringData',
    members: (bytes) => [
      ['data', map(bytes / 2, (i) => `"k${i}":"YQ=="`)],
      ['stringData', map(bytes / 2, (i) => `"k${i}":"a"`)],
    ],
  },
  {
    kind: kinds.serviceAccounts,
    name: 'secrets',
    members: (bytes) => [['secrets', list(bytes, (i) => `{"name":"s${i}"}`)]],
  },
  {
    kind: kinds.serviceAccounts,
    name: 'the same secret',
    members: (bytes) => [
      ['secrets', list(bytes, () => '{"name":"s"}')],
      ['imagePullSecrets', list(100, () => '{"name":"s"}')],
    ],
  },
];

/** Every hostile object, in the order of the table. */
export const hostileObjects: readonly HostileObject[] = [
  ...metadataAttacks.map((attack) => ofMetadata(kinds.configMaps, attack)),
  ...metadataAttacks.map((attack) => ofMetadata(kinds.things, attack)),
  ...metadataAttacks
    .filter(({ name }) => /labels|owners|managers/.test(name))
    .map((attack) => ofMetadata(kinds.pods, attack)),
  ...data.map(ofSpec),
  ...anywhere.map(ofSpec),
  ...podFields.map(ofPod),
  ...podFields.filter(({ isTemplated }) => isTemplated).map((attack) => inTemplate(kinds.deployments, attack)),
  ...specAttacks.map(ofSpec),
  ...thingAttacks.map(ofSpec),
  ...definitionAttacks.map(ofSpec),
];
