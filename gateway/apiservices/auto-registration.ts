import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { followerScope, type PausableWork } from '#shared/follow/follower-scope.ts';
import type { ServedGroupVersion } from '#shared/process/control-stream.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { apiRegistrationGroup, apiServiceName, apiServiceSpec } from './api-service.ts';

const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';
/**
 * An APIService that is created when a server starts. If an administrator deletes it, the next start creates it again.
 */
const managedOnStart = 'onstart';
/**
 * An APIService that is created and deleted with the CustomResourceDefinition of its group version. Others' changes and
 * deletions of it are undone.
 */
const managedAlways = 'true';

/**
 * After a rollback of a cluster of tests reports of backends are still on their way that tell the state before it; the
 * ones that follow correct them.
 */
const lateReportsMs = 50;

interface Report {
  /** By the name of the APIService. */
  readonly wanted: ReadonlyMap<string, ServedGroupVersion>;
  readonly complete: boolean;
}

/**
 * Keeps a local APIService for each group version that the backends report (kube-aggregator's autoregister controller).
 * Safe to run in several gateways at once: an APIService that another gateway has created already is not an error.
 */
export class AutoRegistration implements PausableWork {
  readonly #store: ResourceStore;
  /**
   * Names that this process has seen registered, each with the revision of the APIService that it looked at, 0 if it
   * created it. What is managed on start only is not looked at again.
   */
  readonly #done = new Map<string, number>();
  #running: Promise<void> = Promise.resolve();
  /** The round under way. */
  #active: Promise<void> = Promise.resolve();
  #newest: Report = { wanted: new Map(), complete: false };
  /** Whether the next round looks at all group versions. */
  #isReported = false;
  /** Names that the next round looks at. */
  #changed = new Set<string>();
  #held: PromiseWithResolvers<void> | undefined;
  #release: NodeJS.Timeout | undefined;
  #releasing: NodeJS.Immediate | undefined;

  constructor(store: ResourceStore) {
    this.#store = store;
    followerScope()?.addWork(this);
  }

  async pause(): Promise<void> {
    clearTimeout(this.#release);
    clearImmediate(this.#releasing);
    this.#held ??= Promise.withResolvers();
    await this.#active.catch(() => undefined);
  }

  resume(): void {
    const release = (): void => {
      this.#held?.resolve();
      this.#held = undefined;
    };
    // In a process that was busy all that time the reports are still to be read, which is done before immediates.
    this.#release = setTimeout(() => (this.#releasing = setImmediate(release)), lateReportsMs).unref();
  }

  /**
   * Creates and deletes automatic APIServices to match the served group versions, or those of a later call. Calls run
   * one after the other.
   * Rejects when storage fails. While `complete` is false nothing is deleted, as some server has not reported its group
   * versions yet.
   */
  sync(served: readonly ServedGroupVersion[], complete: boolean): Promise<void> {
    const wanted = new Map(served.map((version) => [apiServiceName(version.group, version.version), version]));
    this.#newest = { wanted, complete };
    this.#isReported = true;
    return this.#enqueue();
  }

  /**
   * Creates or corrects those of definitions among some APIServices that were changed, deleted ones included. Rejects
   * when storage fails.
   */
  async changed(names: Iterable<string>): Promise<void> {
    const { wanted } = this.#newest;
    const defined = [...names].filter((name) => wanted.get(name)?.defined === true);
    if (defined.length === 0) return;
    for (const name of defined) this.#changed.add(name);
    await this.#enqueue();
  }

  /** Names of APIServices of the served group versions that this process has not seen registered, in order. */
  missing(served: readonly ServedGroupVersion[]): string[] {
    return served
      .map(({ group, version }) => apiServiceName(group, version))
      .filter((name) => !this.#done.has(name))
      .sort();
  }

  #enqueue(): Promise<void> {
    this.#running = this.#running.catch(() => undefined).then(() => this.#round());
    return this.#running;
  }

  async #round(): Promise<void> {
    while (this.#held !== undefined) await this.#held.promise;
    const { wanted, complete } = this.#newest;
    const [isReported, changed] = [this.#isReported, this.#changed];
    this.#isReported = false;
    this.#changed = new Set();
    this.#active = isReported ? this.#sync(wanted, wanted.keys(), complete) : this.#sync(wanted, changed, false);
    await this.#active;
  }

  async #sync(
    wanted: ReadonlyMap<string, ServedGroupVersion>,
    names: Iterable<string>,
    removesStale: boolean,
  ): Promise<void> {
    await this.#store.cache.ready();
    await Promise.all(
      [...names].map(async (name) => {
        const version = wanted.get(name);
        if (version === undefined) return;
        const entry = this.#store.cache.get(this.#store.key('', name));
        const seen = this.#done.get(name);
        if (seen !== undefined && (version.defined !== true || seen === entry?.revision)) return;
        await this.#register(name, version, entry);
        this.#done.set(name, entry?.revision ?? 0);
      }),
    );
    if (removesStale) await this.#removeStale(wanted);
  }

  async #register(name: string, version: ServedGroupVersion, entry: CacheEntry | undefined): Promise<void> {
    if (entry === undefined) {
      await ignore('AlreadyExists', this.#create(newApiService(name, version)));
      return;
    }
    const present = this.#store.parse(entry);
    if (entry.labels?.[managedLabel] === undefined || sameSpec(present, version)) return;
    await ignore(
      'NotFound',
      this.#store.update(
        {
          name,
          subresource: '',
          retryOnConflict: true,
          transform: (existing) => ({ ...(existing ?? present), spec: specOf(version) }),
        },
        systemContext(),
      ),
    );
  }

  /** Resolves when the cache has it: by the cache the next round decides what is to be deleted. */
  async #create(object: KubeObject): Promise<void> {
    const { entry } = await this.#store.create(object, systemContext());
    await this.#store.cache.waitForRevision(entry.revision);
  }

  /** Deletes automatic APIServices that no server serves any more, after an upgrade or a changed --runtime-config. */
  async #removeStale(wanted: ReadonlyMap<string, ServedGroupVersion>): Promise<void> {
    for (const entry of this.#store.cache.snapshot().entries(this.#store.key(''))) {
      const managed = entry.labels?.[managedLabel];
      if (wanted.has(entry.name) || (managed !== managedOnStart && managed !== managedAlways)) continue;
      if (apiServiceSpec(this.#store.parse(entry)).service !== undefined) continue;
      this.#done.delete(entry.name);
      await ignore('NotFound', this.#store.delete(entry.name, {}, systemContext()));
    }
  }
}

function newApiService(name: string, version: ServedGroupVersion): KubeObject {
  return asKubeObject({
    kind: 'APIService',
    apiVersion: `${apiRegistrationGroup}/v1`,
    metadata: { name, labels: { [managedLabel]: version.defined === true ? managedAlways : managedOnStart } },
    spec: specOf(version),
  });
}

function specOf({
  group,
  version,
  groupPriority,
  versionPriority,
}: ServedGroupVersion): Record<string, string | number> {
  return { ...(group === '' ? {} : { group }), version, groupPriorityMinimum: groupPriority, versionPriority };
}

function sameSpec(object: KubeObject, version: ServedGroupVersion): boolean {
  const spec = apiServiceSpec(object);
  return (
    spec.service === undefined &&
    spec.groupPriorityMinimum === version.groupPriority &&
    spec.versionPriority === version.versionPriority
  );
}

async function ignore(reason: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== reason) throw error;
  }
}
