import { ApiError, type ApiClient } from '#servers/controllers/client/api-client.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import type { NamespaceObject } from '#servers/controllers/client/namespace-object.ts';
import { ResourceFollower } from '#servers/controllers/client/resource-follower.ts';
import { againIfUndone, type Turns } from '#servers/controllers/work/turns.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';

const backOff = { firstMs: 25, longestMs: 10_000 };
const concurrency = 8;

/** An object that every namespace has to have. */
export interface KeptKind<T extends MetaObject> {
  /** Of the work queue, in metrics. */
  readonly queue: string;
  /** Plural of a resource of `/api/v1`. */
  readonly resource: string;
  readonly name: string;
  /** Kind, metadata and content, without a namespace. */
  readonly object: object;
  /** Whether an object that is there needs no update. */
  readonly isCurrent: (object: T) => boolean;
  /** What an object that is there has to become. */
  readonly updated: (object: T) => T;
}

export interface KeptObjectOptions<T extends MetaObject> {
  readonly kind: KeptKind<T>;
  /** Writes with the rights of the controller. */
  readonly client: ApiClient;
  /** Reads what several controllers follow. */
  readonly reader: ApiClient;
  readonly namespaces: ResourceFollower<NamespaceObject>;
  readonly turns: Turns;
  readonly reportError: (message: string, error: unknown) => void;
}

/** Makes an object in every namespace that is not being deleted, and makes it again when it is gone or was changed. */
export class KeptObject<T extends MetaObject> {
  readonly #options: KeptObjectOptions<T>;
  readonly #queue: WorkQueue;
  readonly #objects: ResourceFollower<T>;
  readonly #settled = Promise.withResolvers<void>();
  /** Namespaces of the beginning that were not looked at; undefined before they are known. */
  #missing: Set<string> | undefined;

  constructor(options: KeptObjectOptions<T>) {
    this.#options = options;
    const { kind, reader, reportError } = options;
    const report = (error: unknown): void => reportError(`${kind.resource}/${kind.name} cannot be kept`, error);
    this.#queue = new WorkQueue({
      name: kind.queue,
      backOff,
      concurrency,
      work: (namespace) => againIfUndone(this.#queue, namespace, () => this.#keep(namespace)),
      onError: report,
    });
    this.#objects = new ResourceFollower<T>({
      client: reader,
      path: `/api/v1/${kind.resource}`,
      selector: `fieldSelector=metadata.name%3D${kind.name}`,
      onSet: (object) => void (kind.isCurrent(object) || this.#queue.add(object.metadata.namespace ?? '')),
      onRemoved: ({ metadata }) => this.#queue.add(metadata.namespace ?? ''),
      onError: report,
    });
    void this.#begin();
  }

  /** Resolves when the namespaces that were there at first have the object. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  take({ metadata: { name } }: NamespaceObject): void {
    if (this.#missing !== undefined && this.#objects.get(name, this.#options.kind.name) === undefined)
      this.#queue.add(name);
  }

  close(): void {
    this.#queue.close();
    this.#objects.close();
    this.#settled.resolve();
  }

  async #begin(): Promise<void> {
    const { namespaces } = this.#options;
    await Promise.all([namespaces.listed, this.#objects.listed]);
    const all = [...namespaces.objects];
    this.#missing = new Set(all.map(({ metadata }) => metadata.name));
    for (const { metadata } of all) this.#queue.add(metadata.name);
    if (this.#missing.size === 0) this.#settled.resolve();
  }

  async #keep(namespace: string): Promise<void> {
    const { kind, client, namespaces, turns } = this.#options;
    const turn = await turns.begin();
    const isWanted = namespaces.get('', namespace)?.metadata.deletionTimestamp === undefined;
    const object = this.#objects.get(namespace, kind.name);
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/${kind.resource}`;
    if (isWanted && namespaces.get('', namespace) !== undefined) {
      if (object === undefined)
        await unlessThere(turn.write(() => client.send({ method: 'POST', path, body: kind.object })));
      else if (!kind.isCurrent(object)) {
        const body = kind.updated(object);
        await unlessThere(turn.write(() => client.send({ method: 'PUT', path: `${path}/${kind.name}`, body })));
      }
    }
    if (this.#missing?.delete(namespace) === true && this.#missing.size === 0) this.#settled.resolve();
  }
}

/** Others may write at the same time, which is told by the watch, and the namespace may be about to go. */
async function unlessThere(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isLate = error.status === 409 || error.status === 404;
    if (!isLate && !error.causes.includes('NamespaceTerminating')) throw error;
  }
}
