import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { CacheEvent, CacheSnapshot } from '#shared/watchcache/watch-cache.ts';
import { readDefinition } from './read-definition.ts';

/** `view` is undefined if the definition was deleted. */
export type DefinitionListener = (name: string, view: DefinitionView | undefined) => void;

/** All definitions of the cluster, kept current from the watch cache. */
export class DefinitionFeed {
  readonly #store: ResourceStore;
  readonly #views = new Map<string, DefinitionView>();
  readonly #listeners = new Set<DefinitionListener>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #follower: CacheFollower;

  constructor(store: ResourceStore) {
    this.#store = store;
    this.#follower = new CacheFollower({
      cache: store.cache,
      prefix: store.key(''),
      onState: (snapshot) => this.#takeAll(snapshot),
      onEvents: (events) => this.#take(events),
    });
    // A failure is ignored here: the follower retries by itself.
    this.#follower.ready().catch(() => undefined);
  }

  /** Resolves when the definitions that were there at the start are known. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get(name: string): DefinitionView | undefined {
    return this.#views.get(name);
  }

  all(): Iterable<DefinitionView> {
    return this.#views.values();
  }

  /** Calls the listener after each change, and at once for each definition that is already known. */
  subscribe(listener: DefinitionListener): void {
    this.#listeners.add(listener);
    for (const [name, view] of this.#views) listener(name, view);
  }

  /**
   * Waits until every definition written before the call is known here: one linearizable read, shared by concurrent
   * callers.
   */
  async current(): Promise<void> {
    await this.#ready.promise;
    await this.#store.cache.waitForCurrent();
  }

  close(): void {
    this.#follower.close();
  }

  #takeAll(snapshot: CacheSnapshot): void {
    const present = new Set<string>();
    for (const entry of snapshot.entries(this.#store.key(''))) {
      present.add(entry.name);
      if (this.#views.get(entry.name)?.revision !== entry.revision)
        this.#put(readDefinition(entry.json, entry.revision));
    }
    for (const name of this.#views.keys()) if (!present.has(name)) this.#remove(name);
    this.#ready.resolve();
  }

  #take(events: readonly CacheEvent[]): void {
    for (const { type, entry } of events) {
      if (type === 'DELETED') this.#remove(entry.name);
      else this.#put(readDefinition(entry.json, entry.revision));
    }
  }

  #put(view: DefinitionView): void {
    this.#views.set(view.name, view);
    for (const listener of this.#listeners) listener(view.name, view);
  }

  #remove(name: string): void {
    this.#views.delete(name);
    for (const listener of this.#listeners) listener(name, undefined);
  }
}
