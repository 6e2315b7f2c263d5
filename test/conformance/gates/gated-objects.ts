import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';

/** An object with fields that wait for a feature, and where it is created. */
export interface GatedObject {
  /** `Pod stop-signal`. */
  readonly name: string;
  /** Of the collection. */
  readonly path: string;
  readonly object: KubeObject;
  /** Reviews have no name and are not there afterwards. */
  readonly isStored: boolean;
}

/** Where the objects with a namespace are. */
export const namespace = 'gated';

export function gatedObjects(): GatedObject[] {
  const facts = loadFacts();
  const objects = (loadAll(readFileSync(join(import.meta.dirname, 'objects.yaml'), 'utf8')) as JsonObject[]).map(
    asKubeObject,
  );
  return objects.map((object) => {
    const { group, version } = parseGroupVersion(String(object.apiVersion));
    const resource = facts.byKind(group, version, String(object.kind));
    if (resource === undefined) throw new Error(`no resource for ${object.apiVersion} ${object.kind}`);
    const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}${resource.namespaced ? `/namespaces/${namespace}` : ''}/${resource.resource}`;
    return {
      name: `${object.kind} ${object.metadata.name ?? ''}`,
      path,
      object,
      isStored: object.metadata.name !== undefined,
    };
  });
}
