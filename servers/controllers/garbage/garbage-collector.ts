import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, metadataOnly, type ApiClient } from '#servers/controllers/client/api-client.ts';
import { collectionPath, groupOf, type ApiResource } from '#servers/controllers/client/discovery.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import { ResourceFollower } from '#servers/controllers/client/resource-follower.ts';
import { againIfUndone, type Turns } from '#servers/controllers/work/turns.ts';
import { pauseAfter } from '#shared/follow/back-off.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import { collectObject, UnseenOwnerError, type CollectParts } from './collect-object.ts';
import {
  matches,
  nodeOf,
  ObjectGraph,
  unblockedOwners,
  waitsForDependents,
  waitsForOrphans,
  type GraphNode,
} from './object-graph.ts';
import { ObjectWrites } from './object-writes.ts';
import { NamespacedOwnerError, OwnerStates } from './owner-states.ts';
import { ResourceTable, UnknownKindError } from './resource-table.ts';
import { InvalidOwnerEvents } from './tell-invalid-owner.ts';

const backOff = { firstMs: 10, longestMs: 60_000 };
/** How often a kind is looked for whose objects are stored, and that discovery does not show. */
const kindBackOff = { firstMs: 500, longestMs: 30_000 };
const concurrency = 20;
const accept = { list: metadataOnly('List'), event: metadataOnly('') };

export interface GarbageCollectorOptions {
  readonly client: ApiClient;
  readonly turns: Turns;
  readonly reportError: (message: string, error: unknown) => void;
}

/**
 * Deletes objects whose owners are gone, and lets owners go that wait for their dependents. It knows the objects of the
 * resources that it follows; those of the owners that these objects name are followed from then on, too.
 */
export class GarbageCollector {
  readonly #options: GarbageCollectorOptions;
  readonly #table: ResourceTable;
  readonly #graph = new ObjectGraph();
  readonly #parts: CollectParts;
  readonly #states: OwnerStates;
  readonly #queue: WorkQueue;
  readonly #events: InvalidOwnerEvents;
  /** By `resource.group`. */
  readonly #followers = new Map<string, ResourceFollower<MetaObject>>();
  /** By `kind.group`: whether the resource of a kind was found; absent where it was not. */
  readonly #kinds = new Map<string, Promise<boolean>>();
  /** Whether the state went back since the followers listed it. */
  #isOutdated = false;
  #isClosed = false;

  constructor(options: GarbageCollectorOptions) {
    const { client, turns } = options;
    this.#options = options;
    this.#table = new ResourceTable(client);
    this.#events = new InvalidOwnerEvents(client);
    this.#states = new OwnerStates(this.#graph, this.#table, client);
    this.#parts = {
      graph: this.#graph,
      states: this.#states,
      writes: new ObjectWrites(client),
      look: (uid) => this.#queue.add(uid),
    };
    this.#queue = new WorkQueue({
      name: 'garbage_collector_attempt_to_delete',
      backOff,
      concurrency,
      work: (uid) => againIfUndone(this.#queue, uid, () => this.#look(uid)),
      onError: (error) => this.#report(error),
    });
    turns.onResumed(() => {
      this.#states.forgetGone();
      this.#isOutdated = true;
    });
  }

  get table(): ResourceTable {
    return this.#table;
  }

  /** Follows a resource, if it is not followed yet and can be. */
  follow(resource: ApiResource): void {
    const key = `${resource.resource}.${resource.group}`;
    if (this.#isClosed || this.#followers.has(key) || !isCollected(resource)) return;
    this.#followers.set(
      key,
      new ResourceFollower<MetaObject>({
        client: this.#options.client,
        path: collectionPath(resource),
        accept,
        onSet: (object) => this.#set(nodeOf(resource, object)),
        onRemoved: ({ metadata }) => this.#removed(metadata.uid),
        onUnserved: ({ metadata }) => this.#forget(metadata.uid),
        onError: (error) => this.#report(error),
      }),
    );
  }

  /** Follows a kind, as soon as it is served. */
  async followKind(apiVersion: string, kind: string): Promise<void> {
    // Discovery shows a new definition a moment after its first object was stored.
    for (let tries = 1; !(await this.#findKind(apiVersion, kind)) && !this.#isClosed; tries++)
      await sleep(pauseAfter(tries, kindBackOff), undefined, { ref: false });
  }

  /** Follows a kind if it is served. @returns whether it is */
  #findKind(apiVersion: string, kind: string): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    const key = `${kind}.${groupOf(apiVersion)}`;
    let finding = this.#kinds.get(key);
    if (finding === undefined) {
      finding = this.#table.find(apiVersion, kind).then(
        (resource) => {
          this.follow(resource);
          return true;
        },
        (error: unknown) => {
          this.#kinds.delete(key);
          this.#report(error);
          return false;
        },
      );
      this.#kinds.set(key, finding);
    }
    return finding;
  }

  /** Ends following resources that are not served any more. */
  keepOnly(resources: readonly ApiResource[]): void {
    const served = new Set(resources.map(({ resource, group }) => `${resource}.${group}`));
    for (const [key, follower] of this.#followers) {
      if (served.has(key)) continue;
      follower.close();
      this.#followers.delete(key);
      for (const { metadata } of follower.objects) this.#removed(metadata.uid);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    for (const follower of this.#followers.values()) follower.close();
  }

  async #look(uid: string): Promise<void> {
    const turn = await this.#options.turns.begin();
    // What was listed before a rollback may be wrong, and watches tell it in any order.
    if (this.#isOutdated) for (const follower of this.#followers.values()) follower.refresh();
    this.#isOutdated = false;
    // What is not listed yet may depend on the object, or own it.
    await Promise.all(this.#kinds.values());
    await Promise.all([...this.#followers.values()].map((follower) => follower.listed));
    const node = this.#graph.get(uid);
    if (node === undefined || this.#isClosed) return;
    try {
      await collectObject(this.#parts, turn, node);
    } catch (error) {
      // It will not get better by itself.
      if (error instanceof NamespacedOwnerError) return this.#report(error);
      if (error instanceof UnseenOwnerError || error instanceof UnknownKindError) this.#followOwners(node);
      throw error;
    }
  }

  #set(node: GraphNode): void {
    const before = this.#graph.set(node);
    this.#states.saw(node.uid);
    const startsWaiting = waitsForDependents(node) && (before === undefined || !waitsForDependents(before));
    if (waitsForOrphans(node) || waitsForDependents(node)) this.#queue.add(node.uid);
    if (before === undefined || startsWaiting)
      for (const dependent of this.#graph.dependentsOf(node.uid)) this.#check(dependent);
    for (const uid of unblockedOwners(before, node)) this.#lookIfWaiting(uid);
    this.#followOwners(node);
    this.#check(node);
  }

  /** Has an object looked at of whose owners one is not seen, waits, or is not the one that is named. */
  #check(node: GraphNode): void {
    if (node.isDeleting) return;
    for (const reference of node.owners) {
      const owner = this.#graph.get(reference.uid);
      if (owner !== undefined && matches(reference, owner, node) && !waitsForDependents(owner)) continue;
      this.#queue.add(node.uid);
      if (owner !== undefined && owner.namespace !== '' && owner.namespace !== node.namespace)
        this.#events.tell(node, reference).catch((error: unknown) => this.#report(error));
    }
  }

  #removed(uid: string): void {
    this.#states.sawGo(uid);
    this.#forget(uid);
  }

  /** Forgets an object that cannot be seen any more. Whether it is gone, its dependents have to ask. */
  #forget(uid: string): void {
    const node = this.#graph.remove(uid);
    this.#queue.forget(uid);
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid);
    for (const owner of node?.owners ?? []) this.#lookIfWaiting(owner.uid);
  }

  #lookIfWaiting(uid: string): void {
    const owner = this.#graph.get(uid);
    if (owner !== undefined && waitsForDependents(owner)) this.#queue.add(uid);
  }

  #followOwners({ owners }: GraphNode): void {
    // Where it is not served, the object is looked at again after a pause, and asks for it then.
    for (const { uid, apiVersion, kind } of owners)
      if (this.#graph.get(uid) === undefined) void this.#findKind(apiVersion, kind);
  }

  #report(error: unknown): void {
    if (this.#isClosed || error instanceof UnseenOwnerError) return;
    // A newer version of the object will be told.
    if (error instanceof ApiError && error.status === 409) return;
    this.#options.reportError('garbage collection', error);
  }
}

/** Events have no dependents, and are too many. */
function isCollected({ resource, verbs }: ApiResource): boolean {
  return resource !== 'events' && ['list', 'watch', 'delete'].every((verb) => verbs.has(verb));
}
