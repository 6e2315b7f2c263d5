import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { followerScope, type PausableWork } from '#shared/follow/follower-scope.ts';
import type { ServedGroupVersion } from '#shared/process/control-stream.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { apiRegistrationGroup, apiServiceName, apiServiceSpec } from './api-service.ts';

const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';
/**
 * An APIService that is created when a server starts. If an administrator deletes it, the next start creates it again.
 */
const managedOnStart = 'onstart';
/** An APIService that is created and deleted with the CustomResourceDefinition of its group version. */
const managedAlways = 'true';

/**
 * After a rollback of a cluster of tests reports of backends are still on their way that tell the state before it; the
 * ones that follow correct them.
 */
const lateReportsMs = 50;

interface Report {
  readonly served: readonly ServedGroupVersion[];
  readonly complete: boolean;
}

/**
 * Keeps a local APIService for each group version that the backends report (kube-aggregator's autoregister controller).
 * Safe to run in several gateways at once: an APIService that another gateway has created already is not an error.
 */
export class AutoRegistration implements PausableWork {
  readonly #store: ResourceStore;
  /** Names that this process has seen registered; deleted ones among them are not created again. */
  readonly #done = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  /** The round under way. */
  #active: Promise<void> = Promise.resolve();
  #newest: Report = { served: [], complete: false };
  #held: PromiseWithResolvers<void> | undefined;
  #release: NodeJS.Timeout | undefined;

  constructor(store: ResourceStore) {
    this.#store = store;
    followerScope()?.addWork(this);
  }

  async pause(): Promise<void> {
    clearTimeout(this.#release);
    this.#held ??= Promise.withResolvers();
    await this.#active.catch(() => undefined);
  }

  resume(): void {
    this.#release = setTimeout(() => {
      this.#held?.resolve();
      this.#held = undefined;
    }, lateReportsMs).unref();
  }

  /**
   * Creates and deletes automatic APIServices to match the served group versions, or those of a later call. Calls run
   * one after the other.
   * Rejects when storage fails. While `complete` is false nothing is deleted, as some server has not reported its group
   * versions yet.
   */
  sync(served: readonly ServedGroupVersion[], complete: boolean): Promise<void> {
    this.#newest = { served, complete };
    this.#running = this.#running.catch(() => undefined).then(() => this.#round());
    return this.#running;
  }

  /** Names of APIServices of the served group versions that this process has not seen registered, in order. */
  missing(served: readonly ServedGroupVersion[]): string[] {
    return served
      .map(({ group, version }) => apiServiceName(group, version))
      .filter((name) => !this.#done.has(name))
      .sort();
  }

  async #round(): Promise<void> {
    while (this.#held !== undefined) await this.#held.promise;
    this.#active = this.#sync(this.#newest.served, this.#newest.complete);
    await this.#active;
  }

  async #sync(served: readonly ServedGroupVersion[], complete: boolean): Promise<void> {
    await this.#store.cache.ready();
    const wanted = new Map(served.map((version) => [apiServiceName(version.group, version.version), version]));
    await Promise.all(
      [...wanted].map(async ([name, version]) => {
        if (this.#done.has(name)) return;
        await this.#register(name, version);
        this.#done.add(name);
      }),
    );
    if (complete) await this.#removeStale(wanted);
  }

  async #register(name: string, version: ServedGroupVersion): Promise<void> {
    const entry = this.#store.cache.get(this.#store.key('', name));
    if (entry === undefined) {
      await ignore('AlreadyExists', this.#store.create(newApiService(name, version), systemContext()));
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
