import { ApiError, metadataOnly, type ApiClient } from '#servers/controllers/client/api-client.ts';
import { collectionPath, groupOf, type ApiResource } from '#servers/controllers/client/discovery.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import { ResourceFollower } from '#servers/controllers/client/resource-follower.ts';
import { UndoneError, type Turns } from '#servers/controllers/work/turns.ts';
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
  /** By `kind.group` of owners whose resource is being looked for, or was found. */
  readonly #ownerKinds = new Map<string, Promise<void>>();
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
      work: (uid) => this.#look(uid),
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
        onError: (error) => this.#report(error),
      }),
    );
  }

  /** Follows a kind, as soon as it is served. */
  followKind(apiVersion: string, kind: string): void {
    const key = `${kind}.${groupOf(apiVersion)}`;
    if (this.#isClosed || this.#ownerKinds.has(key)) return;
    this.#ownerKinds.set(
      key,
      this.#table.find(apiVersion, kind).then(
        (resource) => this.follow(resource),
        (error: unknown) => {
          // The objects that name it are looked at again after a pause, and ask for it then.
          this.#ownerKinds.delete(key);
          this.#report(error);
        },
      ),
    );
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
    await Promise.all(this.#ownerKinds.values());
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
    const node = this.#graph.remove(uid);
    this.#states.sawGo(uid);
    this.#queue.forget(uid);
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(dependent.uid);
    for (const owner of node?.owners ?? []) this.#lookIfWaiting(owner.uid);
  }

  #lookIfWaiting(uid: string): void {
    const owner = this.#graph.get(uid);
    if (owner !== undefined && waitsForDependents(owner)) this.#queue.add(uid);
  }

  #followOwners({ owners }: GraphNode): void {
    for (const { uid, apiVersion, kind } of owners)
      if (this.#graph.get(uid) === undefined) this.followKind(apiVersion, kind);
  }

  #report(error: unknown): void {
    if (this.#isClosed || error instanceof UndoneError || error instanceof UnseenOwnerError) return;
    // A newer version of the object will be told.
    if (error instanceof ApiError && error.status === 409) return;
    this.#options.reportError('garbage collection', error);
  }
}

/** Events have no dependents, and are too many. */
function isCollected({ resource, verbs }: ApiResource): boolean {
  return resource !== 'events' && ['list', 'watch', 'delete'].every((verb) => verbs.has(verb));
}
