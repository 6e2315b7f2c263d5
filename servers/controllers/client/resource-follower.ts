import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '#shared/follow/back-off.ts';
import { ApiError, type ApiClient } from './api-client.ts';
import type { MetaList, MetaObject } from './meta-object.ts';

const pageItems = 500;
const backOff = { firstMs: 50, longestMs: 10_000 };
/** How often a resource that is not served is asked for: its definition may come back. */
const unservedMs = 1_000;
/** Whoever waits for a resource that cannot be listed, since a webhook that converts it is away, goes on without it. */
const patienceMs = 10_000;

export interface ResourceFollowerOptions<T extends MetaObject> {
  readonly client: Pick<ApiClient, 'send' | 'lines'>;
  /** Of the collection. */
  readonly path: string;
  /** A part of the query that selects objects. */
  readonly selector?: string;
  /** Forms of lists and of events. Default: whole objects. */
  readonly accept?: { readonly list: string; readonly event: string };
  /** Called for each object that is there at first, was added or changed. */
  readonly onSet: (object: T) => void;
  readonly onRemoved: (object: T) => void;
  /** Called for each object that was there before the resource was not served any more. Default: nothing. */
  readonly onUnserved?: (object: T) => void;
  readonly onError: (error: unknown) => void;
}

interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T & { readonly code?: number; readonly message?: string };
}

/** Tells the objects of a collection and their changes, by a list and watches. It goes on until it is closed. */
export class ResourceFollower<T extends MetaObject> {
  readonly #options: ResourceFollowerOptions<T>;
  readonly #ending = new AbortController();
  #listed = Promise.withResolvers<void>();
  /** Ends the list or watch under way. */
  #current = new AbortController();
  #objects = new Map<string, T>();
  #patience: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(options: ResourceFollowerOptions<T>) {
    this.#options = options;
    this.#awaitList();
    void this.#run();
  }

  /** Resolves when the first list was told, has failed for long, or is refused as nothing like it is served. */
  get listed(): Promise<void> {
    return this.#listed.promise;
  }

  get objects(): Iterable<T> {
    return this.#objects.values();
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** Lists again, as what watches told may be outdated; {@link listed} resolves when that is done. */
  refresh(): void {
    this.#listed.resolve();
    this.#listed = Promise.withResolvers();
    this.#awaitList();
    this.#current.abort();
  }

  close(): void {
    clearTimeout(this.#patience);
    this.#ending.abort();
    this.#current.abort();
    this.#listed.resolve();
  }

  #awaitList(): void {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(this.#listed.resolve, patienceMs).unref();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const current = new AbortController();
      this.#current = current;
      try {
        let version: string | undefined = await this.#list();
        this.#failures = 0;
        while (version !== undefined) version = await this.#watch(version);
      } catch (error) {
        if (signal.aborted) return;
        if (current.signal.aborted) continue;
        const pauseMs = error instanceof ApiError && error.status === 404 ? this.#unserved() : this.#failed(error);
        await sleep(pauseMs, undefined, { signal: current.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** @returns how long to wait */
  #failed(error: unknown): number {
    this.#failures++;
    this.#options.onError(error);
    return pauseAfter(this.#failures, backOff);
  }

  /** There is nothing to wait for: no object can be there that clients could see. @returns how long to wait */
  #unserved(): number {
    const before = this.#objects;
    this.#objects = new Map();
    for (const object of before.values()) this.#options.onUnserved?.(object);
    this.#failures = 0;
    this.#isListed();
    return unservedMs;
  }

  #isListed(): void {
    clearTimeout(this.#patience);
    this.#listed.resolve();
  }

  /** Tells the differences to the last known state. @returns the resource version of the list */
  async #list(): Promise<string> {
    const { client, path, selector = '', accept } = this.#options;
    const objects = new Map<string, T>();
    let next: string | undefined = '';
    let version = '';
    while (next !== undefined) {
      const query = [`limit=${pageItems}`, selector, next === '' ? '' : `continue=${encodeURIComponent(next)}`];
      const list: MetaList<T> = await client.send<MetaList<T>>({
        path: `${path}?${query.filter((part) => part !== '').join('&')}`,
        ...(accept === undefined ? {} : { accept: accept.list }),
        signal: this.#current.signal,
      });
      for (const object of list.items ?? []) objects.set(keyOf(object), object);
      version = list.metadata.resourceVersion;
      next = list.metadata.continue === '' ? undefined : list.metadata.continue;
    }
    const before = this.#objects;
    this.#objects = objects;
    for (const [key, object] of before)
      if (objects.get(key)?.metadata.uid !== object.metadata.uid) this.#options.onRemoved(object);
    for (const [key, object] of objects)
      if (before.get(key)?.metadata.resourceVersion !== object.metadata.resourceVersion) this.#options.onSet(object);
    this.#isListed();
    return version;
  }

  /** @returns the version from which the next watch goes on; undefined if a new list is needed */
  async #watch(from: string): Promise<string | undefined> {
    const { client, path, selector = '', accept } = this.#options;
    const query = [`watch=1&allowWatchBookmarks=true&resourceVersion=${from}`, selector];
    let version = from;
    const lines = client.lines({
      path: `${path}?${query.filter((part) => part !== '').join('&')}`,
      ...(accept === undefined ? {} : { accept: accept.event }),
      signal: this.#current.signal,
    });
    try {
      for await (const line of lines) {
        const { type, object } = JSON.parse(line) as WatchEvent<T>;
        if (type === 'ERROR') {
          if (object.code === 410) return undefined;
          throw new ApiError(`GET ${path}`, object.code ?? 500, JSON.stringify(object));
        }
        version = object.metadata.resourceVersion;
        this.#failures = 0;
        if (type !== 'BOOKMARK') this.#take(type, object);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 410) return undefined;
      // A server that ended: the changes since then are still there.
      if (this.#current.signal.aborted || error instanceof ApiError) throw error;
      this.#failures++;
      await sleep(pauseAfter(this.#failures, backOff), undefined, { signal: this.#current.signal, ref: false });
    }
    return version;
  }

  #take(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    const key = keyOf(object);
    if (type === 'DELETED') {
      this.#objects.delete(key);
      this.#options.onRemoved(object);
      return;
    }
    this.#objects.set(key, object);
    this.#options.onSet(object);
  }
}

function keyOf({ metadata: { namespace = '', name } }: MetaObject): string {
  return `${namespace}/${name}`;
}
