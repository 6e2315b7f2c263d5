import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Facts, GroupFacts, ResourceFacts, Verb, VersionFacts } from './facts.ts';
import { readGen } from './gen-folder.ts';
import type { ResourceEntry, ResourcesFile, VersionEntry } from './gen-format.ts';
import { keyOf, TypeTable } from './type-table.ts';

let loaded: Facts | undefined;

/**
 * The facts of this product. Reads the table of resources at once (about 60 KB) and the types of a group at their first
 * use. One instance per process. Throws if `gen/` was not installed with the product.
 */
export function loadFacts(): Facts {
  loaded ??= new LoadedFacts(readGen<ResourcesFile>('resources'));
  return loaded;
}

class LoadedFacts implements Facts {
  readonly #groups: readonly GroupFacts[];
  readonly #registered: readonly { group: string; version: string }[];
  readonly #resources = new Map<string, ResourceFacts>();
  readonly #kinds = new Map<string, ResourceFacts>();
  readonly #types: TypeTable;

  constructor(file: ResourcesFile) {
    this.#types = new TypeTable(file);
    this.#registered = file.registered.map((entry) => {
      const [group = '', version = ''] = entry.split('/');
      return { group, version };
    });
    const groups = new Map<string, { name: string; versions: VersionFacts[]; groupPriority: number }>();
    for (const entry of file.versions) {
      const version = versionFacts(entry);
      const group = groups.get(entry.group);
      if (group === undefined) {
        groups.set(entry.group, { name: entry.group, versions: [version], groupPriority: entry.groupPriority });
      } else group.versions.push(version);
      for (const resource of version.resources) {
        this.#resources.set(keyOf(resource.group, resource.version, resource.resource), resource);
        this.#kinds.set(keyOf(resource.group, resource.version, resource.kind), resource);
      }
    }
    this.#groups = [...groups.values()];
  }

  groups(): readonly GroupFacts[] {
    return this.#groups;
  }

  registeredVersions(): readonly { readonly group: string; readonly version: string }[] {
    return this.#registered;
  }

  resource(group: string, version: string, resource: string): ResourceFacts | undefined {
    return this.#resources.get(keyOf(group, version, resource));
  }

  byKind(group: string, version: string, kind: string): ResourceFacts | undefined {
    return this.#kinds.get(keyOf(group, version, kind));
  }

  schema(group: string, version: string, kind: string): StructSchema | undefined {
    return this.#types.schema(group, version, kind);
  }

  model(name: string): StructSchema | undefined {
    return this.#types.model(name);
  }
}

function versionFacts(entry: VersionEntry): VersionFacts {
  return {
    group: entry.group,
    version: entry.version,
    versionPriority: entry.priority,
    enabledByDefault: entry.default === true,
    resources: entry.resources.map((resource) => resourceFacts(entry, resource)),
  };
}

function resourceFacts(of: VersionEntry, entry: ResourceEntry): ResourceFacts {
  return {
    group: of.group,
    version: of.version,
    resource: entry.resource,
    singular: entry.singular,
    kind: entry.kind,
    listKind: entry.listKind ?? '',
    namespaced: entry.namespaced === true,
    shortNames: entry.shortNames ?? [],
    categories: entry.categories ?? [],
    verbs: entry.verbs as readonly Verb[],
    subresources: (entry.subresources ?? []).map(({ name, kind: [group, version, kind], verbs }) => ({
      name,
      kind: { group, version, kind },
      verbs,
    })),
    selectableFields: entry.selectable ?? [],
    columns: (entry.columns ?? []).map(([name, type, format, priority, field]) => ({
      name,
      type,
      format,
      priority,
      ...(field !== undefined && { field }),
    })),
    storageVersion: entry.storageVersion ?? '',
    storagePrefix: entry.storagePrefix ?? '',
    storageVersionHash: entry.storageHash ?? '',
    enabledByDefault: entry.default === true,
    ...(entry.deleteObject === true && { deleteReturnsObject: true }),
    ...(entry.gate !== undefined && { gate: entry.gate }),
    ...(entry.introduced !== undefined && { introducedIn: entry.introduced }),
    ...(entry.deprecated !== undefined && { deprecatedIn: entry.deprecated }),
    ...(entry.removed !== undefined && { removedIn: entry.removed }),
    ...(entry.replacement !== undefined && { replacement: entry.replacement }),
  };
}
