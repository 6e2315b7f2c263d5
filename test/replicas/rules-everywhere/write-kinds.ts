import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { workResources } from '#test/robustness/workload/resources.ts';

/** The namespace of all objects of the suite. */
export const namespace = 'rules';

/** What rules are about: a resource of each server that admits. */
export interface WriteKind {
  readonly name: 'ConfigMaps' | 'Widgets' | 'APIServices';
  readonly server: 'core' | 'extensions' | 'gateway';
  readonly group: string;
  readonly resource: string;
  /** Of the collection. */
  readonly path: string;
  /** A new object. */
  build(labels: Readonly<Record<string, string>>): JsonObject;
}

let made = 0;

const configMaps: WriteKind = {
  name: 'ConfigMaps',
  server: 'core',
  group: '',
  resource: 'configmaps',
  path: workResources.configmaps.path(namespace),
  build: (labels) => ({ metadata: { name: `ruled-${made++}`, labels } }),
};

const widgets: WriteKind = {
  name: 'Widgets',
  server: 'extensions',
  group: 'robustness.quarterdeck.example',
  resource: 'widgets',
  path: workResources.widgets.path(namespace),
  build: (labels) => ({
    apiVersion: 'robustness.quarterdeck.example/v1',
    kind: 'Widget',
    metadata: { name: `ruled-${made++}`, labels },
    spec: { mark: 'none' },
  }),
};

const apiServices: WriteKind = {
  name: 'APIServices',
  server: 'gateway',
  group: 'apiregistration.k8s.io',
  resource: 'apiservices',
  path: '/apis/apiregistration.k8s.io/v1/apiservices',
  build: (labels) => {
    const group = `ruled-${made++}.example.com`;
    return {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.${group}`, labels },
      spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
    };
  },
};

/** Those of namespaces, which a namespace selector can leave out. */
export const namespacedKinds: readonly WriteKind[] = [configMaps, widgets];
export const writeKinds: readonly WriteKind[] = [...namespacedKinds, apiServices];
