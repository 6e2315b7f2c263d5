import { encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { watchEvent } from '#shared/storage/etcd-wire/watch-types.ts';

/**
 * A change as an event for watchers. It is encoded at most twice for all of them: with and without the previous value.
 */
export class ChangeEvent {
  readonly key: string;
  readonly revision: number;
  readonly deleted: boolean;
  readonly #kv: Buffer;
  readonly #previous: () => Buffer | undefined;
  #plain: Buffer | undefined;
  #withPrevious: Buffer | undefined;

  /** @param previous reads the stored form before the change; called once, and only if a watcher has `prev_kv` */
  constructor(key: string, revision: number, deleted: boolean, kv: Buffer, previous: () => Buffer | undefined) {
    this.key = key;
    this.revision = revision;
    this.deleted = deleted;
    this.#kv = kv;
    this.#previous = previous;
  }

  encoded(withPrevious: boolean): Buffer {
    const type = this.deleted ? 'DELETE' : 'PUT';
    if (!withPrevious) return (this.#plain ??= encodeMessage(watchEvent, { type, kv: this.#kv }));
    return (this.#withPrevious ??= encodeMessage(watchEvent, { type, kv: this.#kv, prevKv: this.#previous() }));
  }
}
