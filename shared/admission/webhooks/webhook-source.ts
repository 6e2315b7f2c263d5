import type { ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { ManifestOptions, ManifestSource } from '#shared/admission/manifests/manifest-source.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { doneWith, inSlices } from '#shared/apimachinery/slices/slices.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { compileConfiguration, hasConditions, type AdmissionWebhook } from './admission-webhook.ts';
import { loadConditions } from './load-conditions.ts';
import { manifestWebhooks } from './manifest-webhooks.ts';
import { WebhookSnapshot } from './webhook-snapshot.ts';

const group = 'admissionregistration.k8s.io';

export type WebhookConfigurations = 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations';

interface Compiled {
  readonly entry: CacheEntry;
  readonly webhooks: readonly AdmissionWebhook[];
}

export interface WebhookSourceOptions {
  readonly caches: ObjectCaches;
  readonly resource: WebhookConfigurations;
  /** Folders of configurations that do not come from the API. Default: there are none. */
  readonly manifests?: ManifestOptions | undefined;
  /** Default: a compiler of its own. */
  readonly compiler?: (() => ConditionCompiler) | undefined;
  readonly reportError: (message: string, error: unknown) => void;
}

/** How long configurations that cannot be compiled wait for the next attempt. */
const retryMs = 1_000;

/**
 * The webhooks of all configurations of one kind. A change compiles the configurations that it touches, in slices, and
 * then swaps the snapshot.
 */
export class WebhookSource {
  readonly #options: WebhookSourceOptions;
  readonly #entries = new Map<string, CacheEntry>();
  readonly #follower: CacheFollower;
  #compiled: ReadonlyMap<string, Compiled> = new Map();
  readonly #manifests: ManifestSource<readonly AdmissionWebhook[]> | undefined;
  #snapshot = new WebhookSnapshot([]);
  #fixed = new WebhookSnapshot([]);
  #compiler: ConditionCompiler | undefined;
  readonly #rounds: Reconciler;
  /** Why the last round failed; undefined after one that did not. */
  #failure: Error | undefined;
  readonly #listeners: (() => void)[] = [];

  constructor(options: WebhookSourceOptions) {
    this.#options = options;
    this.#follower = new CacheFollower({
      cache: options.caches.cache(group, options.resource),
      prefix: `/${options.resource}/`,
      onState: async (snapshot) => {
        this.#entries.clear();
        for (const entry of snapshot.entries('')) this.#entries.set(entry.key, entry);
        await this.#rounds.run();
        // Not ready without what is stored: a webhook that denies must not be passed over.
        if (this.#failure !== undefined) throw this.#failure;
      },
      onEvents: (events) => {
        for (const { type, entry } of events) {
          if (type === 'DELETED') this.#entries.delete(entry.key);
          else this.#entries.set(entry.key, entry);
        }
        this.#rounds.request();
      },
    });
    // A round that fails says so itself, and when to try again.
    this.#rounds = new Reconciler({ round: () => this.#rebuild(), onError: () => undefined });
    this.#rounds.begin();
    this.#manifests = manifestWebhooks(options.resource, options.manifests, (object) =>
      this.#compile(object, 'manifest/'),
    );
    this.#manifests?.onChange(() => this.#swap());
  }

  /** The webhooks of manifests, then the others. */
  get snapshot(): WebhookSnapshot {
    return this.#snapshot;
  }

  /** The webhooks of manifests, which are asked about rules of users, too. */
  get fixed(): WebhookSnapshot {
    return this.#fixed;
  }

  /**
   * Reads the configurations that do not come from the API.
   * @throws ConfigurationError
   */
  async loadManifests(): Promise<void> {
    await this.#manifests?.load();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  isReady(): boolean {
    return this.#follower.isReady();
  }

  /** Resolves when the present configurations are known. */
  ready(): Promise<void> {
    return this.#follower.ready();
  }

  close(): void {
    void this.#rounds.close();
    this.#follower.close();
    this.#manifests?.close();
  }

  /** Returns when to try again, if that is needed. */
  async #rebuild(): Promise<number | undefined> {
    try {
      await this.#compileAll();
      this.#failure = undefined;
      return undefined;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#options.reportError('webhooks stay as they were', error);
      return retryMs;
    }
  }

  async #compileAll(): Promise<void> {
    const compiled = new Map<string, Compiled>();
    // In the order of their names, which end the keys.
    for (const [key, entry] of [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const known = this.#compiled.get(key);
      compiled.set(
        key,
        known?.entry === entry ? known : { entry, webhooks: await this.#compile(this.#options.caches.parse(entry)) },
      );
    }
    this.#compiled = compiled;
    this.#swap();
  }

  #swap(): void {
    const fixed = this.#manifests?.rules ?? [];
    const stored = [...this.#compiled.values()].flatMap(({ webhooks }) => webhooks);
    this.#fixed = new WebhookSnapshot(fixed);
    this.#snapshot = new WebhookSnapshot([...fixed, ...stored]);
    for (const listener of this.#listeners) listener();
  }

  async #compile(configuration: KubeObject, origin = ''): Promise<readonly AdmissionWebhook[]> {
    const engine = hasConditions(configuration) ? await loadConditions() : undefined;
    const type = this.#options.resource === 'mutatingwebhookconfigurations' ? 'admit' : 'validating';
    const compiler = engine && (this.#compiler ??= this.#options.compiler?.() ?? engine.newCompiler());
    return await inSlices(
      compileConfiguration(
        configuration,
        (conditions, webhook) =>
          engine === undefined || compiler === undefined
            ? doneWith(undefined)
            : engine.compileConditions(conditions, { ...webhook, kind: 'webhook', type }, compiler),
        origin,
      ),
    );
  }
}
