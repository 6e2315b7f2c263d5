import type { ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { ManifestSource } from '#shared/admission/manifests/manifest-source.ts';
import { resourceCriteria } from '#shared/admission/matching/match-criteria.ts';
import { formatGroupVersionKind, parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { CacheEntry, CacheEvent, CacheSnapshot } from '#shared/watchcache/watch-cache.ts';
import { failurePolicyOf } from './contract/failure-policy.ts';
import type { ParamSource } from './contract/param-source.ts';
import { bindingsByPolicy, type PolicyBinding, type PolicyHook } from './contract/policy-hook.ts';

export interface PolicySourceOptions<Evaluator> {
  readonly caches: ObjectCaches;
  /** The resource of the policies. */
  readonly policies: string;
  /** The resource of their bindings. */
  readonly bindings: string;
  readonly params: ParamSource;
  /** Policies that do not come from the API. */
  readonly manifests?: ManifestSource<readonly PolicyHook<Evaluator>[]> | undefined;
  readonly compile: (name: string, spec: JsonObject) => Promise<Evaluator>;
  readonly reportError: (message: string, error: unknown) => void;
}

const group = 'admissionregistration.k8s.io';
/** How long policies that cannot be compiled wait for the next attempt. */
const retryMs = 1_000;
/** How long a policy whose `paramKind` does not exist does. */
const retryMissingMs = 300;

/**
 * The policies of one kind that are in effect: a snapshot of hooks, which is replaced after each change of a policy or
 * binding. Only what changed is compiled (apiserver/pkg/admission/plugin/policy/generic, policy_source.go).
 */
export class PolicySource<Evaluator> {
  readonly #options: PolicySourceOptions<Evaluator>;
  readonly #policies: Held;
  readonly #bindings: Held;
  readonly #evaluators = new WeakMap<CacheEntry, Evaluator>();
  readonly #listeners: (() => void)[] = [];
  /** The hooks of stored policies. */
  #stored: readonly PolicyHook<Evaluator>[] | undefined;
  #hooks: readonly PolicyHook<Evaluator>[] | undefined;
  readonly #rounds: Reconciler;
  #starting: Promise<void> | undefined;
  /** Why the last round failed. */
  #failure: unknown;

  constructor(options: PolicySourceOptions<Evaluator>) {
    this.#options = options;
    const changed = (): void => this.#changed();
    options.manifests?.onChange(() => this.#swap());
    this.#policies = new Held(options.caches, options.policies, changed);
    this.#bindings = new Held(options.caches, options.bindings, changed);
    // A round that fails says so itself, and when to try again.
    this.#rounds = new Reconciler({ round: () => this.#rebuild(), onError: () => undefined });
    this.#rounds.begin();
  }

  /** The hooks of manifests, which are asked about policies, too. */
  get fixed(): readonly PolicyHook<Evaluator>[] {
    return this.#options.manifests?.rules ?? [];
  }

  /** The hooks of manifests, then of others, in the order of the names of their policies; undefined until {@link ready}. */
  get hooks(): readonly PolicyHook<Evaluator>[] | undefined {
    return this.#hooks;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Reads the policies that do not come from the API.
   * @throws ConfigurationError
   */
  async loadManifests(): Promise<void> {
    await this.#options.manifests?.load();
  }

  /** Resolves when the policies that are stored now are in effect. */
  async ready(): Promise<void> {
    if (this.#hooks !== undefined) return;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  close(): void {
    void this.#rounds.close();
    this.#policies.close();
    this.#bindings.close();
    this.#options.manifests?.close();
  }

  async #start(): Promise<void> {
    await Promise.all([this.#policies.ready(), this.#bindings.ready()]);
    await this.#rounds.run();
    if (this.#hooks === undefined) throw this.#failure;
  }

  #changed(): void {
    // Before both caches are filled there is nothing to rebuild.
    if (this.#hooks !== undefined) this.#rounds.request();
  }

  /** Returns when to try again, if that is needed. */
  async #rebuild(): Promise<number | undefined> {
    try {
      const hooks = await this.#build();
      this.#stored = hooks;
      this.#swap();
      return hooks.some(({ configurationError }) => configurationError !== undefined) ? retryMissingMs : undefined;
    } catch (error) {
      this.#failure = error;
      this.#options.reportError('policies stay as they were', error);
      return retryMs;
    }
  }

  #swap(): void {
    if (this.#stored !== undefined) this.#hooks = [...this.fixed, ...this.#stored];
    for (const listener of this.#listeners) listener();
  }

  async #build(): Promise<readonly PolicyHook<Evaluator>[]> {
    const hooks: PolicyHook<Evaluator>[] = [];
    const kinds: GroupVersionKind[] = [];
    for (const [name, bindings] of this.#bindingsByPolicy()) {
      const policy = this.#policies.byName.get(name);
      if (policy === undefined) continue;
      const spec = objectAt(this.#options.caches.parse(policy), 'spec') ?? {};
      const kind = paramKindOf(spec);
      if (kind !== undefined) kinds.push(kind);
      const params = kind === undefined ? undefined : await this.#options.params.find(this, kind);
      hooks.push({
        name,
        spec,
        criteria: resourceCriteria(objectAt(spec, 'matchConstraints') ?? {}),
        failurePolicy: failurePolicyOf(spec),
        evaluator: await this.#evaluatorOf(policy, spec),
        bindings,
        params,
        configurationError:
          kind === undefined || params !== undefined
            ? undefined
            : `failed to find resource referenced by paramKind: '${formatGroupVersionKind(kind)}'`,
      });
    }
    this.#options.params.keepOnly(this, kinds);
    return hooks.sort((a, b) => compareUtf8(a.name, b.name));
  }

  async #evaluatorOf(policy: CacheEntry, spec: JsonObject): Promise<Evaluator> {
    let evaluator = this.#evaluators.get(policy);
    if (evaluator === undefined) {
      evaluator = await this.#options.compile(policy.name, spec);
      this.#evaluators.set(policy, evaluator);
    }
    return evaluator;
  }

  #bindingsByPolicy(): Map<string, PolicyBinding[]> {
    const entries = [...this.#bindings.byName.values()].sort((a, b) => compareUtf8(a.name, b.name));
    return bindingsByPolicy(entries.map((entry) => this.#options.caches.parse(entry)));
  }
}

/** The entries of one resource by name. */
class Held {
  byName = new Map<string, CacheEntry>();
  readonly #follower: CacheFollower;

  constructor(caches: ObjectCaches, resource: string, changed: () => void) {
    this.#follower = new CacheFollower({
      cache: caches.cache(group, resource),
      prefix: `/${resource}/`,
      onState: (snapshot: CacheSnapshot) => {
        this.byName = new Map([...snapshot.entries('')].map((entry) => [entry.name, entry]));
        changed();
      },
      onEvents: (events: readonly CacheEvent[]) => {
        for (const { type, entry } of events) {
          if (type === 'DELETED') this.byName.delete(entry.name);
          else this.byName.set(entry.name, entry);
        }
        changed();
      },
    });
  }

  ready(): Promise<void> {
    return this.#follower.ready();
  }

  close(): void {
    this.#follower.close();
  }
}

function paramKindOf(spec: JsonObject): GroupVersionKind | undefined {
  const kind = objectAt(spec, 'paramKind');
  if (kind === undefined) return undefined;
  return { ...parseGroupVersion(stringAt(kind, 'apiVersion')), kind: stringAt(kind, 'kind') };
}
