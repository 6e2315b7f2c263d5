import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { byName } from './api-group-discovery.ts';
import type { RegisteredVersion } from './api-group-discovery.ts';

/** A group and its versions, the preferred one first. */
export interface GroupVersions {
  readonly group: string;
  readonly versions: readonly string[];
}

/** `/apis/<group>/<version>` and `/api/v1`: an APIResourceList with an entry for each resource and each subresource. */
export function apiResourceList({ group, version, resources }: RegisteredVersion, showsHashes: boolean): JsonObject {
  const lines = byName(resources).flatMap((resource): JsonObject[] => {
    const { shortNames, categories, storageVersionHash } = resource;
    const line: JsonObject = {
      name: resource.resource,
      singularName: resource.singular,
      namespaced: resource.namespaced,
      kind: resource.kind,
      verbs: [...resource.verbs],
      ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
      ...(categories.length > 0 && { categories: [...categories] }),
      ...(showsHashes && storageVersionHash !== '' && { storageVersionHash }),
    };
    const subresources = resource.subresources.map(({ name, kind, verbs }): JsonObject => {
      const own = kind.group === group && kind.version === version;
      return {
        name: `${resource.resource}/${name}`,
        singularName: '',
        namespaced: resource.namespaced,
        // Upstream omits an empty group, as it omits any empty string.
        ...(!own && kind.group !== '' && { group: kind.group }),
        ...(!own && { version: kind.version }),
        kind: kind.kind,
        verbs: [...verbs],
      };
    });
    return [line, ...subresources];
  });
  // The reference writes no apiVersion for the core group, as in the response at `/api`.
  const apiVersion = group === '' ? {} : { apiVersion: 'v1' };
  return { kind: 'APIResourceList', ...apiVersion, groupVersion: groupVersion(group, version), resources: lines };
}

/** `/apis/<group>`. */
export function apiGroup(group: GroupVersions): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) };
}

/** `/apis`. The groups in order of priority, without the core group. */
export function apiGroupList(groups: readonly GroupVersions[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupBody) };
}

/** `/api`. `serverAddress` is host and port under which the server advertises itself. */
export function apiVersions(versions: readonly string[], serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: [...versions],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

function groupBody({ group, versions }: GroupVersions): JsonObject {
  const entries = versions.map((version) => ({ groupVersion: groupVersion(group, version), version }));
  return { name: group, versions: entries, preferredVersion: { ...entries[0] } };
}

function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
