import { createHash } from 'node:crypto';
import type { ResourceFacts, SubresourceFacts, Verb } from '#shared/api/facts.ts';
import type { DefinitionVersion, DefinitionView } from './definition-view.ts';

/** The verbs in the order in which the reference's discovery lists them. */
const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const viewVerbs = ['get', 'patch', 'update'];

/** The facts that the generic registry needs about a custom resource in one version. */
export function customResourceFacts(definition: DefinitionView, version: DefinitionVersion): ResourceFacts {
  const { group, names } = definition;
  return {
    group,
    version: version.name,
    resource: names.plural,
    singular: names.singular,
    kind: names.kind,
    listKind: names.listKind,
    namespaced: definition.namespaced,
    shortNames: names.shortNames,
    categories: names.categories,
    verbs,
    subresources: subresourcesOf(definition, version),
    selectableFields: selectableFieldsOf(definition, version),
    columns: [],
    storageVersion: `${group}/${definition.storageVersion}`,
    storagePrefix: storagePrefixOf(definition),
    storageVersionHash: storageVersionHash(group, definition.storageVersion, names.kind),
    enabledByDefault: true,
    custom: true,
  };
}

const verbsOfTerminating: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

/** As {@link customResourceFacts}, for discovery: while a definition terminates, it tells of no writes. */
export function discoveredFacts(definition: DefinitionView, version: DefinitionVersion): ResourceFacts {
  const facts = customResourceFacts(definition, version);
  return definition.terminating ? { ...facts, verbs: verbsOfTerminating } : facts;
}

/** The key prefix below `/registry/`. */
export function storagePrefixOf({ group, names }: DefinitionView): string {
  return `${group}/${names.plural}`;
}

function subresourcesOf({ group, names }: DefinitionView, version: DefinitionVersion): SubresourceFacts[] {
  return [
    ...(version.status
      ? [{ name: 'status', kind: { group, version: version.name, kind: names.kind }, verbs: viewVerbs }]
      : []),
    ...(version.scale === undefined
      ? []
      : [{ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: viewVerbs }]),
  ];
}

function selectableFieldsOf({ namespaced }: DefinitionView, { selectableFields }: DefinitionVersion): string[] {
  // The name of a field selector is its path without the leading dot.
  return [
    'metadata.name',
    ...(namespaced ? ['metadata.namespace'] : []),
    ...selectableFields.map((path) => path.replace(/^\./, '')),
  ];
}

/** The hash by which clients see that the storage version changed (apiserver/pkg/endpoints/discovery). */
function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
