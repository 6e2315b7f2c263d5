import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  const text = readFileSync(join(import.meta.dirname, '../data-both-ways/objects.yaml'), 'utf8').replace('$csr', signingRequest());
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

function signingRequest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'differential-'));
  try {
    const request = execFileSync('openssl', ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', join(folder, 'csr.key'), '-subj', '/CN=kept'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return request.toString('base64');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
