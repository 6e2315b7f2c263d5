import type { JsonObject } from '#shared/apimachinery/json/json.ts';

export type ResourceName = 'configmaps' | 'widgets' | 'services';

/** What the workload writes: one resource of the core server, one that allocates, one of the extensions server. */
export interface WorkResource {
  readonly name: ResourceName;
  /** Of the collection. */
  path(namespace: string): string;
  /** Where its objects are in the storage, with a slash at the end. */
  storedAt(namespace: string): string;
  /** A new object; the mark stands in two places, so that half of a write shows. */
  build(name: string, mark: string, color: string, variant: number): JsonObject;
  /** A merge patch that replaces mark and color. */
  patch(mark: string, color: string): JsonObject;
  /** How many names there are. */
  readonly names: number;
}

const group = 'robustness.quarterdeck.example';
const longestPadding = 4_000;

export const workResources: Readonly<Record<ResourceName, WorkResource>> = {
  configmaps: {
    name: 'configmaps',
    names: 12,
    path: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
    storedAt: (namespace) => `/registry/configmaps/${namespace}/`,
    build: (name, mark, color, variant) => ({
      metadata: metadata(name, mark, color),
      data: { mark, padding: 'x'.repeat(variant % longestPadding) },
    }),
    patch: (mark, color) => ({ metadata: marked(mark, color), data: { mark } }),
  },
  widgets: {
    name: 'widgets',
    names: 8,
    path: (namespace) => `/apis/${group}/v1/namespaces/${namespace}/widgets`,
    storedAt: (namespace) => `/registry/${group}/widgets/${namespace}/`,
    build: (name, mark, color, variant) => ({
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: metadata(name, mark, color),
      spec: { mark, size: variant },
    }),
    patch: (mark, color) => ({ metadata: marked(mark, color), spec: { mark } }),
  },
  services: {
    name: 'services',
    names: 6,
    path: (namespace) => `/api/v1/namespaces/${namespace}/services`,
    storedAt: (namespace) => `/registry/services/specs/${namespace}/`,
    build: (name, mark, color, variant) => ({
      metadata: metadata(name, mark, color),
      spec: { type: variant % 3 === 0 ? 'NodePort' : 'ClusterIP', selector: { mark }, ports: [{ port: 80 }] },
    }),
    patch: (mark, color) => ({ metadata: marked(mark, color), spec: { selector: { mark } } }),
  },
};

export const resourceNames: readonly ResourceName[] = ['configmaps', 'widgets', 'services'];

export const widgetDefinition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { mark: { type: 'string' }, size: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

function metadata(name: string, mark: string, color: string): JsonObject {
  return { name, ...marked(mark, color) };
}

function marked(mark: string, color: string): JsonObject {
  return { labels: { color }, annotations: { mark } };
}
