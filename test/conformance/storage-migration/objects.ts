import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const key = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

/** An EncryptionConfiguration for Secrets and pandas in which `letters` are the keys; the first one writes. */
export function fileWith(letters: string): string {
  const keys = [...letters].map((letter) => `{name: key-${letter}, secret: ${key(letter)}}`).join(', ');
  return `kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers: [{secretbox: {keys: [${keys}]}}]
- resources: [pandas.bears.example]
  providers: [{aescbc: {keys: [${keys}]}}]
`;
}

export const group = 'bears.example';
export const customResources = ['koalas', 'pandas'] as const;
export type CustomResource = (typeof customResources)[number];
const kinds: Record<CustomResource, string> = { koalas: 'Koala', pandas: 'Panda' };

/** Both versions are served. */
export function definition(plural: CustomResource, storageVersion: 'v1' | 'v2'): JsonObject {
  const kind = kinds[plural];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === storageVersion,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      })),
    },
  };
}

export function customObject(plural: CustomResource, name: string): JsonObject {
  return { apiVersion: `${group}/v1`, kind: kinds[plural], metadata: { name }, spec: { words: 'kept' } };
}

export function secret(name: string): JsonObject {
  return { metadata: { name }, stringData: { password: 'hidden' } };
}

export const migrationsPath = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';

export function migration(name: string, resource: string): JsonObject {
  const [plural = '', ...rest] = resource.split('.');
  return {
    apiVersion: 'storagemigration.k8s.io/v1beta1',
    kind: 'StorageVersionMigration',
    metadata: { name },
    spec: { resource: { resource: plural, ...(rest.length > 0 && { group: rest.join('.') }) } },
  };
}
