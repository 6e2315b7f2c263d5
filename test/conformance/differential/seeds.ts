import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { loadFacts } from '../../../shared/api/load-facts.ts';
import { parseGroupVersion } from '../../../shared/apimachinery/gvk.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { asKubeObject, type KubeObject } from '../../../shared/apimachinery/object.ts';

/** A valid object, and where it is created. */
export interface Seed {
  /** Of the collection. Each namespaced kind has a namespace of its own, so that quotas and limits stay among themselves. */
  readonly path: string;
  readonly namespace: string;
  readonly object: KubeObject;
  /** Objects of the kind would change how the server answers to others. */
  readonly dryRun: boolean;
  readonly hasStatus: boolean;
}

/** A request for a client certificate of `kept`; the same in every run. */
const signingRequest = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISk1IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWEyVndkREJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQkRLNmh4cGhTN3hiUkl4azgxejhQSHljSUdOZmlrekhsbnNnV1lzK29zSURsc0I1a2EyTkV6ZXFtRVFLCjlkeWFWWXNJWTdWYVBoYWM3SkhXeC9QVXZsZWdBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUVBM3NtU082SW0KdUlockxjcGRqMWZnKzU4V3lRYWRubENIYW5VY0JrOWZLYUVDSUhQWGcxNElFbklEMWxvM0luNTZ5anZMME1CZApieGxjVUdZUVUvaWxOS3FJCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const customGroup = 'fuzz.example.com';

/** What both servers have before anything is compared. */
export const definition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `things.${customGroup}` },
  spec: {
    group: customGroup, scope: 'Namespaced', names: { plural: 'things', singular: 'thing', kind: 'Thing' },
    versions: [{
      name: 'v1', served: true, storage: true, subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      schema: { openAPIV3Schema: { type: 'object', properties: {
        spec: { type: 'object', required: ['size'], properties: {
          size: { type: 'integer', minimum: 1, maximum: 9 }, name: { type: 'string', pattern: '^[a-z]*$', default: 'x' }, replicas: { type: 'integer' },
          tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          parts: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'], items: { type: 'object', required: ['key'], properties: { key: { type: 'string' }, value: { type: 'number' } } } },
          open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, either: { 'x-kubernetes-int-or-string': true }, labels: { type: 'object', additionalProperties: { type: 'string' } },
        } },
        status: { type: 'object', properties: { replicas: { type: 'integer' }, phase: { type: 'string', enum: ['On', 'Off'] } } },
      } } },
    }],
  },
};

const thing: JsonObject = {
  apiVersion: `${customGroup}/v1`, kind: 'Thing', metadata: { name: 'kept', labels: { a: 'b' } },
  spec: { size: 3, replicas: 1, tags: ['a', 'b'], parts: [{ key: 'a', value: 1.5 }, { key: 'b' }], open: { any: [1, 'x'] }, either: '5', labels: { x: 'y' } },
};

const disruptive = new Set([
  'admissionregistration.k8s.io', 'apiregistration.k8s.io', 'flowcontrol.apiserver.k8s.io', 'ServiceCIDR', 'PriorityClass', 'Namespace', 'StorageClass', 'IngressClass', 'RuntimeClass',
]);

/** Valid objects of every stored kind, and of a custom one. */
export function seeds(): Seed[] {
  const facts = loadFacts();
  const text = readFileSync(join(import.meta.dirname, '../data-both-ways/objects.yaml'), 'utf8').replace('$csr', signingRequest);
  const builtIn = (loadAll(text) as JsonObject[]).map(asKubeObject).map((object): Seed => {
    const { group, version } = parseGroupVersion(String(object.apiVersion));
    const resource = facts.byKind(group, version, String(object.kind));
    if (resource === undefined && group !== 'apiregistration.k8s.io') throw new Error(`no resource for ${object.apiVersion} ${object.kind}`);
    const plural = resource?.resource ?? 'apiservices';
    const namespace = resource?.namespaced === true ? `fuzz-${plural}` : '';
    return {
      path: `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}`, namespace, object,
      dryRun: disruptive.has(group) || disruptive.has(String(object.kind)),
      hasStatus: resource?.subresources.some(({ name }) => name === 'status') === true,
    };
  });
  const namespace = 'fuzz-things';
  return [...builtIn, { path: `/apis/${customGroup}/v1/namespaces/${namespace}/things`, namespace, object: asKubeObject(thing), dryRun: false, hasStatus: true }];
}
