import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, listAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { builtInSeed, type Seed } from '#test/conformance/differential/seeds.ts';

/** A manifest's seed, and the file that it comes from. */
export interface Manifest {
  readonly file: string;
  readonly seed: Seed;
}

/** The documents of a file; none of one that is a template, or otherwise no YAML. */
function documentsIn(file: string): unknown[] {
  try {
    return loadAll(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** Lists taken apart. */
function objectsOf(document: unknown): JsonObject[] {
  if (!isObject(document as JsonObject)) return [];
  const object = document as JsonObject;
  return String(object['kind']).endsWith('List') && Array.isArray(object['items'])
    ? listAt(object, 'items').flatMap(objectsOf)
    : [object];
}

/** Without what names its place, which is that of the seed. */
function placeless(object: KubeObject): KubeObject {
  const { namespace: _namespace, generateName: _generateName, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function seedOf(object: KubeObject): Seed | undefined {
  const { group, version } = parseGroupVersion(String(object.apiVersion));
  const resource = loadFacts().byKind(group, version, String(object.kind));
  if (resource === undefined || !resource.verbs.includes('create')) return undefined;
  const seed = builtInSeed(placeless(object));
  // Reviews are answered and not kept, and what definitions declare is told later.
  const isKept = resource.verbs.includes('delete') && group !== 'apiextensions.k8s.io';
  return isKept ? seed : { ...seed, dryRun: true };
}

/** All objects of built-in kinds in the folder's files, in the order of their names. */
export function manifestsIn(folder: string): Manifest[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ya?ml|json)$/.test(file))
    .toSorted()
    .flatMap((file) =>
      documentsIn(join(folder, file))
        .flatMap(objectsOf)
        .map((object) => seedOf(asKubeObject(cloneJson(object))))
        .filter((seed) => seed !== undefined)
        .map((seed) => ({ file, seed })),
    );
}
