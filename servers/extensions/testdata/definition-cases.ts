import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { schemaCases as schemas, statusSchemaCases } from './schema-cases.ts';
import { structuralSchemaCases } from './structural-schema-cases.ts';

/** A definition that breaks a rule, or two: by name. What the reference says to each is in `recorded.json`. */
export const definitionCases: Readonly<Record<string, JsonObject>> = {
  ...schemaCases(schemas),
  ...schemaCases(statusSchemaCases, { subresources: { status: {} } }),
  ...schemaCases(structuralSchemaCases),
  ...specCases({
    'no group': { group: '' },
    'group without a dot': { group: 'nodot' },
    'group in capitals': { group: 'A.b' },
    'unknown scope': { scope: 'World' },
    'no scope': { scope: '' },
    'names in capitals': {
      names: {
        plural: 'Things',
        singular: 'Thing',
        kind: 'thing_',
        listKind: 'list_',
        shortNames: ['T'],
        categories: ['All'],
      },
    },
    'kind and listKind the same': { names: { plural: 'things', kind: 'Thing', listKind: 'Thing' } },
    'no kind': { names: { plural: 'things' } },
    'no versions': { versions: [] },
    'no storage version': { versions: [version('v1', { storage: false })] },
    'two storage versions': { versions: [version('v1'), version('v2')] },
    'version in capitals': { versions: [version('V1')] },
    'version without schema': { versions: [{ name: 'v1', served: true, storage: true }] },
    'keeps unknown fields': { preserveUnknownFields: true },
    'deprecation warning of a version that is not deprecated': {
      versions: [version('v1', { deprecationWarning: 'x' })],
    },
    'empty deprecation warning': { versions: [version('v1', { deprecated: true, deprecationWarning: '' })] },
    'deprecation warning with a line break': {
      versions: [version('v1', { deprecated: true, deprecationWarning: 'a\nb' })],
    },
    columns: {
      versions: [
        version('v1', {
          additionalPrinterColumns: [
            { name: '', type: '', jsonPath: '' },
            { name: 'a', type: 'text', format: 'x', jsonPath: 'a' },
          ],
        }),
      ],
    },
    'columns of two versions': {
      versions: [
        version('v1', { additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: '.a' }] }),
        version('v2', { storage: false }),
      ],
    },
    'scale without paths': {
      versions: [version('v1', { subresources: { scale: { specReplicasPath: '', statusReplicasPath: '' } } })],
    },
    'scale with wrong paths': {
      versions: [
        version('v1', {
          subresources: { scale: { specReplicasPath: '.status.a', statusReplicasPath: 'x', labelSelectorPath: '.a' } },
        }),
      ],
    },
    'selectable fields': {
      versions: [
        version(
          'v1',
          {
            selectableFields: [
              { jsonPath: '' },
              { jsonPath: 'x' },
              { jsonPath: '.a[0]' },
              { jsonPath: '.nope' },
              { jsonPath: '.metadata.name' },
              { jsonPath: '.o' },
              { jsonPath: '.s' },
              { jsonPath: '.s' },
            ],
          },
          {
            s: { type: 'string' },
            o: { type: 'object' },
            metadata: { type: 'object', properties: { name: { type: 'string' } } },
          },
        ),
      ],
    },
    'unknown conversion': { conversion: { strategy: 'Magic' } },
    'review versions without a webhook': {
      conversion: {
        strategy: 'None',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a' } },
      },
    },
    'webhook without a client': { conversion: { strategy: 'Webhook' } },
    'columns with every type and format': {
      versions: [
        version('v1', {
          additionalPrinterColumns: ['integer', 'number', 'string', 'boolean', 'date'].map((type) => ({
            name: type,
            type,
            format: 'int32',
            priority: -1,
            jsonPath: '.a',
          })),
        }),
      ],
    },
    'a column with another type of format': {
      versions: [
        version('v1', {
          additionalPrinterColumns: [
            { name: 'a', type: 'string', format: 'uuid', jsonPath: '.a' },
            { name: 'b', type: 'string', jsonPath: '{.a}' },
            { name: 'c', type: 'string', jsonPath: '.a[' },
            { name: 'c', type: 'string', jsonPath: '.a[?(@.x=="y")].z' },
          ],
        }),
      ],
    },
    'different columns of two versions': {
      versions: [
        version('v1', { additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: '.a' }] }),
        version('v2', { storage: false, additionalPrinterColumns: [{ name: 'b', type: 'text', jsonPath: '.a' }] }),
      ],
    },
    'the same wrong columns of two versions': {
      versions: [
        version('v1', { additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: '.a' }] }),
        version('v2', { storage: false, additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: '.a' }] }),
      ],
    },
    'the same wrong subresources of two versions': {
      versions: [
        version('v1', { subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '' } } }),
        version('v2', { storage: false, subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '' } } }),
      ],
    },
    'a version twice': { versions: [version('v1'), version('v1', { storage: false })] },
    'a version twice, with all that it can have': {
      versions: [
        version(
          'v1',
          {
            subresources: { status: {}, scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.b' } },
            additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: '.a' }],
            selectableFields: [{ jsonPath: '.s' }],
            deprecated: true,
            deprecationWarning: 'old',
          },
          { s: { type: 'string', enum: ['b', 'a'], default: 'a' } },
        ),
        version(
          'v1',
          { storage: false, served: false },
          {
            m: { type: 'object', additionalProperties: { type: 'integer', maximum: 2.5 }, default: { z: 1, a: 2 } },
            l: { type: 'array', items: { 'x-kubernetes-int-or-string': true } },
          },
        ),
      ],
    },
    'version without name': { versions: [version('')] },
    'long version': { versions: [version('v'.repeat(64))] },
    'scale with a path of spec alone': {
      versions: [
        version('v1', {
          subresources: {
            scale: { specReplicasPath: '.spec', statusReplicasPath: '.status.', labelSelectorPath: '.spec.a.b' },
          },
        }),
      ],
    },
    'scale with a selector without a dot': {
      versions: [
        version('v1', {
          subresources: {
            scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.b', labelSelectorPath: 'x' },
          },
        }),
      ],
    },
    'scale with lists': {
      versions: [
        version('v1', {
          subresources: { scale: { specReplicasPath: '.spec.a[0]', statusReplicasPath: '.status.b[*].c' } },
        }),
      ],
    },
    'nine selectable fields': {
      versions: [
        version(
          'v1',
          { selectableFields: [...'abcdefghi'].map((name) => ({ jsonPath: `.${name}` })) },
          Object.fromEntries([...'abcdefghi'].map((name) => [name, { type: 'string' }])),
        ),
      ],
    },
    'selectable fields of other types': {
      versions: [
        version(
          'v1',
          {
            selectableFields: [
              '.a',
              '.b',
              '.c.d',
              '.c.e',
              '.f.x',
              ".c['d']",
              '.c.d.',
              '..c',
              '.metadata',
              '.kind',
              '.n',
              '.l',
              '.e',
            ].map((jsonPath) => ({ jsonPath })),
          },
          {
            a: { type: 'integer' },
            b: { type: 'boolean' },
            c: { type: 'object', properties: { d: { type: 'string', enum: ['x'] } } },
            f: { type: 'object', additionalProperties: { type: 'string' } },
            n: { type: 'number' },
            l: { type: 'array', items: { type: 'string' } },
            e: { 'x-kubernetes-int-or-string': true },
          },
        ),
      ],
    },
    'selectable fields without a schema': {
      versions: [{ name: 'v1', served: true, storage: true, selectableFields: [{ jsonPath: '.a' }] }],
    },
    'the same selectable fields of two versions': {
      versions: [
        version('v1', { selectableFields: [{ jsonPath: '.x' }] }),
        version('v2', { storage: false, selectableFields: [{ jsonPath: '.x' }] }),
      ],
    },
    'long deprecation warning': {
      versions: [version('v1', { deprecated: true, deprecationWarning: 'x'.repeat(257) })],
    },
    'control characters in a deprecation warning': {
      versions: [version('v1', { deprecated: true, deprecationWarning: 'ä\u0007' })],
    },
    'group that is too long': { group: `${'a'.repeat(64)}.${'b'.repeat(200)}` },
    'names that are too long': {
      names: {
        plural: 'things',
        singular: 's'.repeat(64),
        kind: `K${'k'.repeat(63)}`,
        listKind: 'L'.repeat(64),
        shortNames: ['', 's_'],
        categories: ['', 'c.d'],
      },
    },
    'no names': { names: {} },
    'no plural': { names: { kind: 'Thing' } },
    'no conversion strategy': { conversion: { strategy: '' } },
    'webhook with url and service': {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: 'https://a', service: { name: 'a', namespace: 'b' } },
        },
      },
    },
    'webhook with strange review versions': {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1', 'v1', 'V2', ''],
          clientConfig: { url: 'https://a', service: { name: 'a', namespace: 'b' } },
        },
      },
    },
    'webhook with a broken url': {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'http://u:p@/x?y#z' } },
      },
    },
    'webhook with a url without host': {
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: '' } } },
    },
    'webhook with a broken service': {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { name: '', namespace: '', path: 'x//y/', port: 70000 } },
        },
      },
    },
    'webhook without review versions': {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: [], clientConfig: { url: 'https://a.example.com' } },
      },
    },
    'webhook and unknown fields': {
      preserveUnknownFields: true,
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v9'], clientConfig: { url: 'https://a.example.com' } },
      },
    },
  }),
  'name that does not fit': { metadata: { name: 'other.example.com' }, spec: spec({}) },
  'name in capitals': { metadata: { name: 'Things.example.com' }, spec: spec({}) },
  'no name': { metadata: {}, spec: spec({}) },
  'broken metadata': {
    metadata: {
      name: 'things.example.com',
      labels: { '-': 'x' },
      annotations: { 'a b': 'x' },
      finalizers: ['x/y/z'],
      ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
    },
    spec: spec({}),
  },
  'community group with an approval': {
    metadata: { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://example.com/1' } },
    spec: spec({ group: 'x.k8s.io' }),
  },
  'community group that is not approved': {
    metadata: { name: 'things.kubernetes.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, for now' } },
    spec: spec({ group: 'kubernetes.io' }),
  },
  'community group without approval': { metadata: { name: 'things.x.k8s.io' }, spec: spec({ group: 'x.k8s.io' }) },
  'community group with a broken approval': {
    metadata: { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'yes' } },
    spec: spec({ group: 'x.k8s.io' }),
  },
};

function version(name: string, more: JsonObject = {}, properties: JsonObject = {}): JsonObject {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } }, ...more };
}

function spec(more: JsonObject): JsonObject {
  return {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [version('v1')],
    ...more,
  };
}

function specCases(cases: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(cases).map(([name, more]) => [name, { metadata: { name: 'things.example.com' }, spec: spec(more) }]),
  );
}

function schemaCases(cases: Readonly<Record<string, JsonObject>>, more: JsonObject = {}): Record<string, JsonObject> {
  const of = (schema: JsonObject): JsonObject => ({
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', ...schema } },
    ...more,
  });
  return specCases(
    Object.fromEntries(Object.entries(cases).map(([name, schema]) => [name, { versions: [of(schema)] }])),
  );
}
