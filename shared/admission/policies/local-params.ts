import type { ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { ParamLister, ParamSource } from './contract/param-source.ts';
import { loadEngine } from './load-engine.ts';
import type { BuiltInParams } from './params/built-in-params.ts';
import { UsedKinds } from './params/used-kinds.ts';

export interface LocalParamsOptions {
  readonly caches: ObjectCaches;
  readonly facts: Facts;
  /** Whether the server serves a resource. */
  readonly serves: (resource: ResourceFacts) => boolean;
  /** How stored objects become those of the version of the facts; undefined if this process cannot convert them. */
  readonly conversionOf: (resource: ResourceFacts) => ((object: KubeObject) => KubeObject) | undefined;
  /** Kinds that are not built in, where this process serves them. Default: it serves none. */
  readonly others?: ParamSource | undefined;
  /** All kinds that neither this source nor {@link others} has. */
  readonly distant: ParamSource;
}

/** Parameters of built-in kinds from the watch caches of this process, of others by another source. */
export class LocalParams implements ParamSource {
  readonly #options: LocalParamsOptions;
  readonly #used = new UsedKinds<BuiltInParams>();

  constructor(options: LocalParamsOptions) {
    this.#options = options;
  }

  async find(user: object, kind: GroupVersionKind): Promise<ParamLister | undefined> {
    const { facts, caches, serves, conversionOf } = this.#options;
    const resource = facts.byKind(kind.group, kind.version, kind.kind);
    if (resource === undefined || resource.storageVersion === '') return await this.#elsewhere(user, kind);
    const schema = facts.schema(kind.group, kind.version, kind.kind);
    const convert = isStoredAs(resource) ? (object: KubeObject) => object : conversionOf(resource);
    if (schema === undefined || convert === undefined || !serves(resource)) return await this.#elsewhere(user, kind);
    this.#used.name(user, kind);
    const { BuiltInParams } = await loadEngine();
    const known = this.#used.get(kind);
    if (known !== undefined) return known;
    const lister = new BuiltInParams(caches, resource, schema, convert);
    // Requests wait a moment for parameters that are being read; they should find them there.
    lister.ready().catch(() => undefined);
    this.#used.set(kind, lister);
    return lister;
  }

  keepOnly(user: object, kinds: readonly GroupVersionKind[]): void {
    this.#used.keepOnly(user, kinds);
    this.#options.others?.keepOnly(user, kinds);
    this.#options.distant.keepOnly(user, kinds);
  }

  close(): void {
    this.#used.closeAll();
    this.#options.others?.close();
    this.#options.distant.close();
  }

  async #elsewhere(user: object, kind: GroupVersionKind): Promise<ParamLister | undefined> {
    const { others, distant } = this.#options;
    return (await others?.find(user, kind)) ?? (await distant.find(user, kind));
  }
}

function isStoredAs({ group, version, storageVersion }: ResourceFacts): boolean {
  return storageVersion === formatGroupVersion({ group, version });
}
