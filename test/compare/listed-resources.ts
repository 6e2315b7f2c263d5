import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { JsonClient } from '#test/json-client.ts';

/** A resource as discovery lists it. */
export interface ListedResource {
  readonly groupVersion: string;
  /** Path of the group version, such as `/apis/apps/v1`. */
  readonly root: string;
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

/** Every resource of every group version that a server serves, subresources with their own. */
export async function listedResources(client: JsonClient): Promise<ListedResource[]> {
  const groups = objectsAt(await documentAt(client, '/apis'), 'groups');
  const versions = groups.flatMap((group) => objectsAt(group, 'versions').map((one) => stringAt(one, 'groupVersion')));
  const lists = await Promise.all(
    ['v1', ...versions].map(async (groupVersion) => {
      const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
      // Nothing where the server of a registered group is down.
      return resourcesIn(groupVersion, root, objectsAt(await documentAt(client, root), 'resources'));
    }),
  );
  return lists.flat();
}

/** An object's collection, in its namespace where it is namespaced. */
export function collectionPath({ root, name, namespaced }: ListedResource, namespace: string): string {
  return `${root}/${namespaced ? `namespaces/${namespace}/` : ''}${name}`;
}

function resourcesIn(groupVersion: string, root: string, all: readonly JsonObject[]): ListedResource[] {
  const names = all.map((one) => stringAt(one, 'name'));
  return all.flatMap((one, index) => {
    const name = names[index] ?? '';
    if (name.includes('/')) return [];
    const { verbs } = one;
    return [
      {
        groupVersion,
        root,
        name,
        kind: stringAt(one, 'kind'),
        namespaced: one['namespaced'] === true,
        verbs: Array.isArray(verbs) ? verbs.map(String) : [],
        subresources: names.flatMap((other) => (other.startsWith(`${name}/`) ? [other.slice(name.length + 1)] : [])),
      },
    ];
  });
}

async function documentAt(client: JsonClient, path: string): Promise<JsonObject> {
  const body = (await client.call('GET', path)).body as JsonValue;
  return isObject(body) ? body : {};
}
