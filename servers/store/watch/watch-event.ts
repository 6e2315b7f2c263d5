import { encodeMessage } from '../../../shared/storage/etcd-wire/codec.ts';
import { watchEvent } from '../../../shared/storage/etcd-wire/watch-types.ts';

/** A change as watchers see it; encoded once for all who want it with, or without, the value before. */
export class ChangeEvent {
  readonly key: string;
  readonly revision: number;
  readonly deleted: boolean;
  readonly #kv: Buffer;
  readonly #previous: () => Buffer | undefined;
  #plain: Buffer | undefined;
  #withPrevious: Buffer | undefined;

  /** @param previous reads the stored form before the change; asked once, and only if somebody wants it */
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
