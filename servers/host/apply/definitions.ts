import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import { discoverResources, groupOf } from '#servers/controllers/client/discovery.ts';
import type { ManifestObject } from './read-manifests.ts';

const everyMs = 5;
const withinMs = 20_000;

/** A CustomResourceDefinition, as far as it is read here. */
interface Definition {
  readonly metadata: { readonly name?: string };
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string; readonly plural?: string };
    readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

export function isDefinition({ kind, apiVersion }: ManifestObject): boolean {
  return kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io';
}

/** `Kind group/version` of what definitions among the objects will serve. */
export function definedKinds(objects: readonly ManifestObject[]): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const { spec } of definitionsOf(objects))
    for (const { name, served } of spec?.versions ?? [])
      if (served === true) kinds.add(`${spec?.names?.kind} ${spec?.group}/${name}`);
  return kinds;
}

/**
 * Resolves when definitions among the objects are established, and discovery shows their resources.
 * @throws Error (as a rejection) with the conditions of one that is not within 20 s
 */
export async function untilServed(client: ApiClient, objects: readonly ManifestObject[]): Promise<void> {
  const definitions = definitionsOf(objects);
  if (definitions.length === 0) return;
  const endMs = performance.now() + withinMs;
  for (const { metadata } of definitions) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(metadata.name ?? '')}`;
    for (;;) {
      const { status } = await client.send<Definition>({ path });
      const conditions = status?.conditions ?? [];
      if (conditions.some(({ type, status: is }) => type === 'Established' && is === 'True')) break;
      if (performance.now() > endMs)
        throw new Error(
          `definition ${metadata.name} is not established: ${conditions.map(({ type, status: is, message }) => `${type} is ${is} (${message ?? ''})`).join(', ')}`,
        );
      await sleep(everyMs);
    }
  }
  const isShown = async (): Promise<boolean> => {
    const { resources } = await discoverResources(client);
    const shown = new Set(resources.map(({ resource, group }) => `${resource}.${group}`));
    return definitions.every(({ metadata, spec }) => !isServed(spec) || shown.has(metadata.name ?? ''));
  };
  while (!(await isShown())) {
    if (performance.now() > endMs)
      throw new Error(
        `discovery does not show ${definitions.map(({ metadata }) => metadata.name).join(', ')}: it has no version that can be served`,
      );
    await sleep(everyMs);
  }
}

function isServed(spec: Definition['spec']): boolean {
  return spec?.versions?.some(({ served }) => served === true) ?? false;
}

function definitionsOf(objects: readonly ManifestObject[]): readonly Definition[] {
  return objects.filter(isDefinition);
}
