import type { Facts } from '#shared/api/facts.ts';
import { parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { viewOfSchema } from '#shared/apimachinery/managed-fields/schema-view.ts';
import { viewOfStructural } from '#shared/apimachinery/managed-fields/structural-view.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { TypeView } from '#shared/apimachinery/schema/type-view.ts';
import type { StoredResource } from '#shared/registry/create-resource-caches.ts';
import { DoubtedEntries } from '#shared/registry/doubted-entries.ts';
import { GenericStore } from '#shared/registry/generic-store.ts';
import { malformedByDefault, type MalformedObjects } from '#shared/registry/malformed-objects.ts';
import { countInStorage, type CountedResource } from '#shared/registry/object-counts.ts';
import { revisionReader, type ReadAtRevision } from '#shared/registry/read-at-revision.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { RestResource, RestSubresource, Siblings } from '#shared/registry/rest.ts';
import { recentRevision, type Storage } from '#shared/storage/storage.ts';
import { undecodable } from '#shared/storage/undecodable.ts';
import type { CachedResource } from '#shared/watchcache/cache-metrics.ts';
import { createWatchCache } from '#shared/watchcache/create-watch-cache.ts';
import { customTable, scaleTable } from './columns/custom-columns.ts';
import { ResourceConversion, type CallConversionWebhook } from './conversion/resource-conversion.ts';
import { CustomResourceForm } from './custom-resource-form.ts';
import { customScaleView } from './custom-resource-scale.ts';
import { CustomResourceSchema, objectMetaOf } from './custom-resource-schema.ts';
import { CustomResourceStrategy } from './custom-resource-strategy.ts';
import { customResourceFacts, storagePrefixOf } from './facts/custom-resource-facts.ts';
import type { DefinitionVersion, DefinitionView } from './facts/definition-view.ts';
import type { ResourceVersionShape } from './facts/resource-version-shape.ts';
import { SelectableFields } from './facts/selectable-fields.ts';
import type { CompiledSchema, CompileOptions } from './schema/compiled-schema.ts';

/** Compiles the `openAPIV3Schema` of a version. */
export type CompileSchema = (schema: JsonObject, options: CompileOptions) => CompiledSchema;

export interface CustomResourceOptions {
  readonly facts: Facts;
  readonly storage: Storage;
  readonly compile: CompileSchema;
  /** Whether objects are written as CBOR; both JSON and CBOR are always read. */
  readonly storesCbor?: boolean;
  /** `--enable-garbage-collector`; default: yes. */
  readonly garbageCollection?: boolean;
  readonly callConversionWebhook: CallConversionWebhook;
  /** How objects that cannot be read are told of. Default: as the reference without its gate. */
  readonly malformed?: MalformedObjects;
  /** Whether caches are compared with storage every few minutes. */
  readonly checksCaches?: boolean;
  /** Is told of objects that cannot be decoded, and of lists and watches of storage that fail. */
  readonly reportError: (message: string, error: unknown) => void;
}

interface Version {
  definition: DefinitionVersion;
  readonly gvk: GroupVersionKind;
  readonly shape: ResourceVersionShape;
  readonly compiled: () => CompiledSchema;
}

/**
 * Serves the custom resources of one definition: one watch cache, and a resource for each version. All parts are made
 * at first use and kept until the spec of the definition changes.
 */
export class CustomResource {
  readonly #facts: Facts;
  readonly #storage: Storage;
  readonly #compile: CompileSchema;
  readonly #options: CustomResourceOptions;
  readonly #malformed: MalformedObjects;
  readonly #reportError: CustomResourceOptions['reportError'];
  readonly #conversion: ResourceConversion | undefined;
  #definition: DefinitionView;
  readonly #fields: SelectableFields;
  /** The empty schema that is used for versions that do not exist. */
  #unknown: CompiledSchema | undefined;
  readonly #versions: ReadonlyMap<string, Version>;
  readonly #resources = new Map<string, RestResource>();
  #objects: Pick<StoredResource, 'cache' | 'doubted'> | undefined;

  constructor(options: CustomResourceOptions, definition: DefinitionView) {
    const { facts, storage, compile, reportError } = options;
    this.#facts = facts;
    this.#storage = storage;
    this.#compile = compile;
    this.#options = options;
    this.#reportError = reportError;
    this.#malformed = options.malformed ?? malformedByDefault;
    this.#definition = definition;
    this.#fields = new SelectableFields(definition.versions.flatMap(({ selectableFields }) => selectableFields));
    this.#versions = new Map(definition.versions.map((version) => [version.name, this.#version(version)]));
    this.#conversion = this.#webhookConversion(options.callConversionWebhook);
  }

  #webhookConversion(call: CallConversionWebhook): ResourceConversion | undefined {
    const { conversion: webhook } = this.#definition;
    if (webhook === undefined) return undefined;
    const byApiVersion = this.#shapes();
    return new ResourceConversion({
      definition: this.#definition,
      webhook,
      call,
      shapeOf: (apiVersion) => byApiVersion.get(apiVersion),
      fieldsOf: (object) => this.#fields.valuesOf(object),
    });
  }

  /** The shapes of all versions, by apiVersion. */
  #shapes(): ReadonlyMap<string, ResourceVersionShape> {
    return new Map([...this.#versions.values()].map(({ shape }) => [shape.apiVersion, shape]));
  }

  /** The resource in a version; undefined if the version is not served. */
  find(version: string): RestResource | undefined {
    const known = this.#resources.get(version);
    if (known !== undefined) return known;
    const found = this.#versions.get(version);
    if (found?.definition.served !== true) return undefined;
    const made = this.#make(found);
    this.#resources.set(version, made);
    return made;
  }

  /** Replaces the definition by a later one with the same spec, so that the old object can be garbage-collected. */
  follow(definition: DefinitionView): void {
    this.#definition = definition;
    for (const version of definition.versions) {
      const known = this.#versions.get(version.name);
      if (known !== undefined) known.definition = version;
    }
  }

  /** Reads objects at a revision that the cache no longer has. */
  get readAtRevision(): ReadAtRevision {
    const form = this.#form(this.#stored());
    return revisionReader(this.#storage, (kv) => form.decode(kv), this.#groupResource);
  }

  /** For the counts of objects. */
  get counted(): CountedResource {
    return {
      ...this.#groupResource,
      cached: () => this.#objects?.cache.held,
      stored: () => countInStorage(this.#storage, storagePrefixOf(this.#definition)),
    };
  }

  close(): void {
    this.#objects?.cache.close();
  }

  get #groupResource(): CachedResource {
    return { group: this.#definition.group, resource: this.#definition.names.plural };
  }

  #stored(): Version {
    const stored = this.#versions.get(this.#definition.storageVersion);
    if (stored === undefined) throw new Error(`${this.#definition.name} has no storage version`);
    return stored;
  }

  #version(definition: DefinitionVersion): Version {
    const { group, names, preserveUnknownFields } = this.#definition;
    const gvk = { group, version: definition.name, kind: names.kind };
    let made: CompiledSchema | undefined;
    const schema = (): JsonObject => this.#versions.get(gvk.version)?.definition.schema() ?? {};
    const compiled = (): CompiledSchema => (made ??= this.#compile(schema(), { ...gvk, preserveUnknownFields }));
    const view = (): TypeView =>
      viewOfStructural(schema(), { objectMeta: viewOfSchema(objectMetaOf(this.#facts)), preserveUnknownFields });
    return {
      definition,
      gvk,
      compiled,
      shape: {
        apiVersion: `${group}/${definition.name}`,
        schema: new CustomResourceSchema(this.#facts, gvk, (version) => this.#compiledOf(version), view),
      },
    };
  }

  /** The compiled schema of a version. A version that does not exist has a schema without fields. */
  #compiledOf(version: string): CompiledSchema {
    const { group, names, preserveUnknownFields } = this.#definition;
    return (
      this.#versions.get(version)?.compiled() ??
      (this.#unknown ??= this.#compile({}, { group, version: '', kind: names.kind, preserveUnknownFields }))
    );
  }

  #form(served: Version): CustomResourceForm {
    const byApiVersion = this.#shapes();
    return new CustomResourceForm({
      kind: this.#definition.names.kind,
      storagePrefix: storagePrefixOf(this.#definition),
      storage: this.#stored().shape,
      storesCbor: this.#options.storesCbor ?? false,
      served: served.shape,
      versionOf: (apiVersion) => byApiVersion.get(apiVersion),
      fields: this.#fields,
      webhook: this.#conversion,
    });
  }

  #cached(): Pick<StoredResource, 'cache' | 'doubted'> {
    if (this.#objects === undefined) {
      const form = this.#form(this.#stored());
      const prefix = `/${storagePrefixOf(this.#definition)}/`;
      const cache = createWatchCache({
        storage: this.#storage,
        // Not that of the process: definitions come and change long after its start.
        firstRevision: () => recentRevision(this.#storage),
        prefix,
        measured: this.#groupResource,
        isChecked: this.#options.checksCaches,
        decode: (kv) => form.decode(kv),
        decodeInSteps: (kv) => form.decodeInSteps(kv),
        onUndecodable: (key, error) => this.#reportError(undecodable(key, undefined, error), error),
        reportError: (error) =>
          this.#reportError(`Failed to list or watch ${this.#definition.name}; trying again`, error),
      });
      // It follows the writes from the first request on, so that the first list does not read all objects from storage.
      void cache.fill();
      this.#objects = { cache, doubted: new DoubtedEntries(this.#storage, prefix, cache) };
    }
    return this.#objects;
  }

  #make(version: Version): RestResource {
    const facts = customResourceFacts(this.#definition, version.definition);
    const form = this.#form(version);
    const { gvk, definition, compiled } = version;
    const strategy = new CustomResourceStrategy({
      gvk,
      namespaced: facts.namespaced,
      hasStatus: definition.status,
      scale: definition.scale,
      schema: compiled,
    });
    const store: ResourceStore = new GenericStore(
      this.#storage,
      { facts, form, malformed: this.#malformed, ...this.#cached() },
      strategy,
      undefined,
      this.#options.garbageCollection,
    );
    const isStored = definition.name === this.#definition.storageVersion;
    return {
      facts,
      store,
      schema: version.shape.schema,
      subresources: new Map(facts.subresources.map((item) => [item.name, this.#subresource(version, item)])),
      siblings: this.#siblings(),
      table: customTable(definition.columns, objectMetaOf(this.#facts)),
      // The store already returns objects in the served version; objects from the cache need the conversion.
      ...(isStored || this.#conversion !== undefined
        ? {}
        : {
            conversion: {
              toStorage: (object: KubeObject) => object,
              fromStorage: (object: KubeObject) => form.toServed(object),
            },
          }),
    };
  }

  /** The versions of this resource, including those that are not served: managed fields may name them. */
  #siblings(): Siblings {
    const { group, versions } = this.#definition;
    const conversion = this.#conversion;
    return {
      apiVersions: versions.map(({ name }) => `${group}/${name}`),
      ...(conversion && { convert: (object, apiVersion) => conversion.unpruned(object, apiVersion) }),
      find: (apiVersion) => {
        const wanted = parseGroupVersion(apiVersion);
        const version = wanted.group === group ? this.#versions.get(wanted.version) : undefined;
        return version === undefined ? undefined : (this.find(wanted.version) ?? this.#make(version));
      },
    };
  }

  #replicasPath(apiVersion: string): readonly string[] | null | undefined {
    const { group, version } = parseGroupVersion(apiVersion);
    const found = group === this.#definition.group ? this.#versions.get(version) : undefined;
    if (found === undefined) return undefined;
    const { scale } = found.definition;
    return scale === undefined ? null : scale.specReplicasPath.replace(/^\./, '').split('.');
  }

  #subresource({ definition, shape }: Version, facts: RestSubresource['facts']): RestSubresource {
    if (facts.name === 'status' || definition.scale === undefined) return { facts, schema: shape.schema, status: true };
    const { group, version, kind } = facts.kind;
    const schema = this.#facts.schema(group, version, kind);
    return {
      facts,
      ...(schema === undefined ? {} : { schema }),
      view: customScaleView(definition.scale),
      table: scaleTable(objectMetaOf(this.#facts)),
      replicasPath: (apiVersion) => this.#replicasPath(apiVersion),
    };
  }
}
