import type { JsonObject } from '#shared/apimachinery/json/json.ts';

export interface UpdateCase {
  /** Replaces members of the spec of {@link updatedDefinition}. */
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  readonly status?: JsonObject;
}

const v1: JsonObject = {
  name: 'v1',
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  },
};
const v2: JsonObject = { ...v1, name: 'v2', storage: false };

/** What is there, established, before each update. */
export const updatedDefinition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'olds.updated.example.com' },
  spec: {
    group: 'updated.example.com',
    scope: 'Namespaced',
    names: { plural: 'olds', singular: 'old', kind: 'Old', listKind: 'OldList' },
    versions: [v1, v2],
    conversion: { strategy: 'None' },
  },
};

/** Updates of an established definition, and of its status; what the reference says to them is in `recorded.json`. */
export const updateCases: Readonly<Record<string, UpdateCase>> = {
  'nothing changes': {},
  'another scope': { spec: { scope: 'Cluster' } },
  'another kind': { spec: { names: { plural: 'olds', singular: 'old', kind: 'New', listKind: 'OldList' } } },
  'another list kind': { spec: { names: { plural: 'olds', singular: 'old', kind: 'Old', listKind: 'NewList' } } },
  'another plural': { spec: { names: { plural: 'news', singular: 'old', kind: 'Old', listKind: 'OldList' } } },
  'another group': { spec: { group: 'other.example.com' } },
  'scope, kind and group at once': {
    spec: { scope: 'Cluster', group: 'other.example.com', names: { plural: 'news', kind: 'New' } },
  },
  'the storage version goes': { spec: { versions: [{ ...v2, storage: true }] } },
  'another storage version': {
    spec: {
      versions: [
        { ...v1, storage: false },
        { ...v2, storage: true },
      ],
    },
  },
  'no storage version': { spec: { versions: [{ ...v1, storage: false }, v2] } },
  'no versions': { spec: { versions: [] } },
  'a version loses its schema': { spec: { versions: [v1, { name: 'v2', served: true, storage: false }] } },
  'a schema that is not structural': {
    spec: { versions: [{ ...v1, schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } }, v2] },
  },
  'unknown fields are kept': { spec: { preserveUnknownFields: true } },
  'webhook without a client': {
    spec: { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } } },
  },
  'review versions that nobody knows': {
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v9'], clientConfig: { url: 'https://a.example.com' } },
      },
    },
  },
  'a broken label': { metadata: { labels: { '-': '/' } } },
  'names in capitals in the status': {
    status: {
      acceptedNames: {
        plural: 'Olds',
        singular: 'O_',
        kind: 'Old_',
        listKind: 'Old_',
        shortNames: ['S'],
        categories: ['C'],
      },
    },
  },
  'no stored versions in the status': { status: { storedVersions: [] } },
  'an unknown stored version in the status': { status: { storedVersions: ['v9'] } },
};
