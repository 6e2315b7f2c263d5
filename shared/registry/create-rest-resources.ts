import type { Facts, ResourceFacts, SubresourceFacts } from '#shared/api/facts.ts';
import { formatGroupVersion, parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { storageOf } from '#shared/storage/create/partitioned-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { createResourceCaches, type StoredResources } from './create-resource-caches.ts';
import type { ResourceDefinition } from './define-resource.ts';
import { GenericStore } from './generic-store.ts';
import type { MalformedObjects } from './malformed-objects.ts';
import { countInStorage, type CountedResource } from './object-counts.ts';
import type { ReportError } from './object-store.ts';
import { revisionReader, type ReadAtRevision } from './read-at-revision.ts';
import type { ResourceStore } from './resource-store.ts';
import type { RestResource, RestSubresource, Siblings } from './rest.ts';
import { selectableFieldReader } from './selectable-fields.ts';
import type { Strategy } from './strategy.ts';

export interface RestResourcesOptions {
  readonly facts: Facts;
  readonly storage: Storage;
  /** Media type in which built-in types are stored (`--storage-media-type`). Default: protobuf. */
  readonly storageMediaType?: string;
  /**
   * The definitions of resources; a resource without one is served by the facts alone. A function is called when the
   * first of them is needed, so that definitions can be made from the stores of these resources.
   */
  readonly definitions: readonly ResourceDefinition[] | (() => readonly ResourceDefinition[]);
  /** The API groups that this server serves. Resources of other groups can only be read through caches. */
  readonly servesGroup: (group: string) => boolean;
  /** Which resources of those groups are served; default: those that are enabled by default. */
  readonly isServed?: (resource: ResourceFacts) => boolean;
  /**
   * The part of an object that the cache keeps, for resources that this process reads but does not serve; undefined
   * keeps all of it.
   */
  readonly excerptOf?: (group: string, resource: string) => ((object: KubeObject) => KubeObject) | undefined;
  /** Whether caches are compared with storage every few minutes. Default: false. */
  readonly checksCaches?: boolean;
  /** `--enable-garbage-collector`; default: yes. */
  readonly garbageCollection?: boolean;
  /** Default: errors are not reported. */
  readonly reportError?: ReportError;
  /** Called with the key of a stored object that cannot be decoded. Default: reported as an error. */
  readonly reportUndecodable?: ReportError;
  /** How objects that cannot be read are told of. Default: as the reference without its gate. */
  readonly malformed?: MalformedObjects;
}

/** The resources of a server, each in its served versions, and the stores and caches under them. */
export interface RestResources {
  readonly facts: Facts;
  /** Caches of every stored resource, including the groups of other servers. */
  readonly caches: StoredResources;
  /** Whether the resource is served; does not load its schemas. */
  serves(group: string, version: string, resource: string): boolean;
  /** The served resource; undefined if it is not served. */
  find(group: string, version: string, resource: string): RestResource | undefined;
  hasGroup(group: string): boolean;
  hasGroupVersion(group: string, version: string): boolean;
  /** In discovery order. */
  served(): readonly RestResource[];
  /** The served resources that are stored, to be counted. */
  readonly counted: readonly CountedResource[];
  /** Throws for a resource that is not stored. */
  store(group: string, resource: string): ResourceStore;
  /** Reads objects at a revision that is older than every snapshot of the cache. */
  readAtRevision(group: string, resource: string): ReadAtRevision;
}

/** Makes the resources of a server from facts and definitions. Schemas, stores and caches are made at first use. */
export function createRestResources(options: RestResourcesOptions): RestResources {
  return new Resources(options);
}

const noStrategy: Strategy = {};

class Resources implements RestResources {
  readonly facts: Facts;
  readonly caches: StoredResources;
  readonly #storage: Storage;
  readonly #listDefinitions: () => readonly ResourceDefinition[];
  #definitions: ReadonlyMap<string, ResourceDefinition> | undefined;
  readonly counted: readonly CountedResource[];
  readonly #served: readonly ResourceFacts[];
  readonly #byName = new Map<string, RestResource | ResourceFacts>();
  readonly #groupVersions = new Set<string>();
  readonly #groups = new Set<string>();
  readonly #stores = new Map<string, ResourceStore>();
  readonly #reportError: ReportError;
  readonly #garbageCollection: boolean;

  constructor(options: RestResourcesOptions) {
    this.facts = options.facts;
    this.#storage = options.storage;
    this.#reportError = options.reportError ?? (() => {});
    this.#garbageCollection = options.garbageCollection ?? true;
    const { definitions } = options;
    this.#listDefinitions = typeof definitions === 'function' ? definitions : () => definitions;
    this.caches = createResourceCaches({
      storage: options.storage,
      storageMediaType: options.storageMediaType,
      facts: options.facts,
      reportError: this.#reportError,
      reportUndecodable: options.reportUndecodable,
      malformed: options.malformed,
      checksCaches: options.checksCaches,
      selectableFieldsOf: (group, resource) => this.#selectableFieldsOf(group, resource),
      ...(options.excerptOf === undefined ? {} : { excerptOf: options.excerptOf }),
      shapeOf: (group, resource) => this.#definition(group, resource)?.storedShape,
      defaultsOf: (group, resource) => {
        const strategy = this.#strategy(group, resource);
        if (!('applyDefaults' in strategy) && !('completeStored' in strategy)) return undefined;
        return function* (object) {
          if (strategy.applyDefaultsInSteps === undefined) strategy.applyDefaults?.(object);
          else yield* strategy.applyDefaultsInSteps(object);
          strategy.completeStored?.(object);
        };
      },
    });
    const { isServed = ({ enabledByDefault }) => enabledByDefault } = options;
    this.#served = options.facts
      .groups()
      .filter((group) => options.servesGroup(group.name))
      .flatMap((group) => group.versions)
      .flatMap((version) => version.resources)
      .filter(isServed);
    for (const facts of this.#served) {
      this.#byName.set(nameOf(facts.group, facts.version, facts.resource), facts);
      this.#groupVersions.add(`${facts.group}/${facts.version}`);
      this.#groups.add(facts.group);
    }
    this.counted = this.#counted();
  }

  /** Each by the group that stores it: events of both groups are one resource. */
  #counted(): readonly CountedResource[] {
    const byPrefix = new Map<string, CountedResource>();
    for (const { storagePrefix, storageVersion, resource } of this.#served) {
      if (storageVersion === '' || byPrefix.has(storagePrefix)) continue;
      const group = storageVersion.includes('/') ? storageVersion.slice(0, storageVersion.indexOf('/')) : '';
      const stored = (): Promise<number> => countInStorage(storageOf(this.#storage, storagePrefix), storagePrefix);
      byPrefix.set(storagePrefix, { group, resource, stored, cached: () => this.caches.heldBy(group, resource) });
    }
    return [...byPrefix.values()];
  }

  serves(group: string, version: string, resource: string): boolean {
    return this.#byName.has(nameOf(group, version, resource));
  }

  find(group: string, version: string, resource: string): RestResource | undefined {
    const name = nameOf(group, version, resource);
    const known = this.#byName.get(name);
    if (known === undefined || 'schema' in known) return known;
    const made = this.#make(known);
    this.#byName.set(name, made);
    return made;
  }

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.#groupVersions.has(`${group}/${version}`);
  }

  served(): readonly RestResource[] {
    return this.#served.map((facts) => this.find(facts.group, facts.version, facts.resource) as RestResource);
  }

  store(group: string, resource: string): ResourceStore {
    const stored = this.caches.stored(group, resource);
    let store = this.#stores.get(stored.facts.storagePrefix);
    if (store === undefined) {
      const strategy = this.#strategy(stored.facts.group, stored.facts.resource);
      store = new GenericStore(
        storageOf(this.#storage, stored.facts.storagePrefix),
        stored,
        strategy,
        this.#reportError,
        this.#garbageCollection,
      );
      this.#stores.set(stored.facts.storagePrefix, store);
    }
    return store;
  }

  readAtRevision(group: string, resource: string): ReadAtRevision {
    const { form, facts } = this.caches.stored(group, resource);
    return revisionReader(storageOf(this.#storage, facts.storagePrefix), (kv) => form.decode(kv), { group, resource });
  }

  #definition(group: string, resource: string): ResourceDefinition | undefined {
    this.#definitions ??= new Map(this.#listDefinitions().map((one) => [`${one.group}/${one.resource}`, one]));
    return this.#definitions.get(`${group}/${resource}`);
  }

  #strategy(group: string, resource: string): Strategy {
    return this.#definition(group, resource)?.strategy ?? noStrategy;
  }

  #selectableFieldsOf(group: string, resource: string): ((object: KubeObject) => Record<string, string>) | undefined {
    const strategy = this.#strategy(group, resource);
    if ('selectableFields' in strategy) return (object) => strategy.selectableFields?.(object) ?? {};
    const versions = this.facts.groups().find((item) => item.name === group)?.versions ?? [];
    const facts = versions.flatMap((version) => version.resources).find((item) => item.resource === resource);
    return facts === undefined ? undefined : selectableFieldReader(facts);
  }

  #make(facts: ResourceFacts): RestResource {
    const definition = this.#definition(facts.group, facts.resource);
    const conversion = getKey(definition?.conversions, facts.version);
    return {
      facts,
      schema: schemaOf(this.facts, facts.group, facts.version, facts.kind),
      subresources: new Map(facts.subresources.map((item) => [item.name, this.#subresource(facts, item, definition)])),
      siblings: this.#siblings(facts),
      ...(facts.storageVersion === '' ? {} : { store: this.store(facts.group, facts.resource) }),
      ...(conversion === undefined ? {} : { conversion }),
      ...(definition?.rows === undefined ? {} : { rows: definition.rows }),
      ...(definition?.creator === undefined ? {} : { creator: definition.creator }),
      ...(definition?.reader === undefined ? {} : { reader: definition.reader }),
    };
  }

  #siblings({ group, resource }: ResourceFacts): Siblings {
    const apiVersions = this.#served
      .filter((item) => item.group === group && item.resource === resource)
      .map(formatGroupVersion);
    return {
      apiVersions,
      find: (apiVersion) => {
        const other = parseGroupVersion(apiVersion);
        return other.group === group ? this.find(group, other.version, resource) : undefined;
      },
    };
  }

  #subresource(
    parent: ResourceFacts,
    facts: SubresourceFacts,
    definition: ResourceDefinition | undefined,
  ): RestSubresource {
    const { group, version, kind } = facts.kind;
    const schema = this.facts.schema(group, version, kind);
    return {
      facts,
      ...(schema === undefined ? {} : { schema }),
      ...(facts.name === 'status' ? { status: true } : {}),
      ...(kind === 'Scale'
        ? {
            replicasPath: (apiVersion: string) =>
              parseGroupVersion(apiVersion).group === parent.group ? replicasPath : undefined,
          }
        : {}),
      ...getKey(definition?.subresources, facts.name),
    };
  }
}

const replicasPath = ['spec', 'replicas'];

function nameOf(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}

function schemaOf(facts: Facts, group: string, version: string, kind: string): StructSchema {
  const schema = facts.schema(group, version, kind);
  if (schema === undefined)
    throw new Error(`no schema of ${kind} in version ${version} of group ${JSON.stringify(group)}`);
  return schema;
}
