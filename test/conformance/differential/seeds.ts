import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, objectAt, objectsAt, stringAt, valueAt, type KubeObject } from '#shared/apimachinery/object.ts';

/** A valid object, and where it is created. */
export interface Seed {
  /**
   * Of the collection. Each namespaced kind has a namespace of its own, so that quotas and limits stay among
   * themselves.
   */
  readonly path: string;
  readonly namespace: string;
  readonly object: KubeObject;
  /** Objects of the kind would change how the server answers to others. */
  readonly dryRun: boolean;
  /** Those that are written: status, scale, approval and the like, but none that a node answers. */
  readonly subresources: readonly string[];
}

/** A request for a client certificate of `kept`; the same in every run. */
const signingRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISk1IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWEyVndkREJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQkRLNmh4cGhTN3hiUkl4azgxejhQSHljSUdOZmlrekhsbnNnV1lzK29zSURsc0I1a2EyTkV6ZXFtRVFLCjlkeWFWWXNJWTdWYVBoYWM3SkhXeC9QVXZsZWdBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUVBM3NtU082SW0KdUlockxjcGRqMWZnKzU4V3lRYWRubENIYW5VY0JrOWZLYUVDSUhQWGcxNElFbklEMWxvM0luNTZ5anZMME1CZApieGxjVUdZUVUvaWxOS3FJCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const disruptive = new Set([
  'admissionregistration.k8s.io',
  'apiregistration.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'ServiceCIDR',
  'PriorityClass',
  'Namespace',
  'StorageClass',
  'IngressClass',
  'RuntimeClass',
]);

const folder = import.meta.dirname;

function objectsIn(file: string): KubeObject[] {
  return (loadAll(readFileSync(join(folder, file), 'utf8').replace('$csr', signingRequest)) as JsonObject[]).map(
    asKubeObject,
  );
}

const isDefinition = ({ kind }: KubeObject): boolean => kind === 'CustomResourceDefinition';

/** What both servers have before anything is compared. */
export function definitions(): KubeObject[] {
  return objectsIn('custom-objects.yaml').filter(isDefinition);
}

/** Where objects of a kind are created, and what of them is written apart. */
interface ResourcePath extends Pick<Seed, 'subresources'> {
  readonly plural: string;
  readonly namespaced: boolean;
}

function builtInPath(object: KubeObject): ResourcePath {
  const { group, version } = parseGroupVersion(String(object.apiVersion));
  const resource = loadFacts().byKind(group, version, String(object.kind));
  if (resource === undefined && group !== 'apiregistration.k8s.io')
    throw new Error(`no resource for ${object.apiVersion} ${object.kind}`);
  return {
    plural: resource?.resource ?? 'apiservices',
    namespaced: resource?.namespaced === true,
    subresources: resource?.subresources
      .filter(({ name, verbs }) => name !== 'proxy' && verbs.includes('update'))
      .map(({ name }) => name) ?? ['status'],
  };
}

function customPath(object: KubeObject): ResourcePath {
  const definition = definitions().find((item) => valueAt(item, 'spec', 'names', 'kind') === object.kind);
  if (definition === undefined) throw new Error(`no definition of ${object.kind}`);
  const [version] = objectsAt(definition, 'spec', 'versions');
  return {
    plural: stringAt(definition, 'spec', 'names', 'plural'),
    namespaced: stringAt(definition, 'spec', 'scope') === 'Namespaced',
    subresources: Object.keys(objectAt(version, 'subresources') ?? {}),
  };
}

function seedOf(object: KubeObject, { plural, namespaced, subresources }: ResourcePath): Seed {
  const { group, version } = parseGroupVersion(String(object.apiVersion));
  const namespace = namespaced ? `fuzz-${plural}` : '';
  return {
    path: `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}`,
    namespace,
    object,
    dryRun: disruptive.has(group) || disruptive.has(String(object.kind)),
    subresources,
  };
}

/** A seed of an object of a built-in kind. */
export function builtInSeed(object: KubeObject): Seed {
  return seedOf(object, builtInPath(object));
}

/** Valid objects of every stored kind, some with most of their fields too, and of custom ones. */
export function seeds(): Seed[] {
  const builtIn = ['../data-both-ways/objects.yaml', 'rich-objects.yaml'].flatMap(objectsIn).map(builtInSeed);
  const custom = objectsIn('custom-objects.yaml')
    .filter((object) => !isDefinition(object))
    .map((object) => seedOf(object, customPath(object)));
  return [...builtIn, ...custom];
}
