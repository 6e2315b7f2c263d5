import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { Revealed, ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';
import { UnreadableError, type StorageEvent, type StoredKeyValue } from '#shared/storage/storage.ts';
import { OwnValues } from './own-values.ts';

export interface ValueCipherOptions {
  /** The prefix of all keys in etcd: `/registry`. */
  readonly prefix: string;
  /** The resource of a key without that prefix; undefined for keys that are never encrypted. */
  readonly resourceOf: (key: string) => GroupResource | undefined;
  /** The transformer of a resource at present. */
  readonly transformerOf: (resource: GroupResource) => ValueTransformer;
}

/** Encrypts and decrypts the values of one etcd, each by the transformer of its resource. */
export class ValueCipher {
  readonly #prefix: string;
  readonly #options: ValueCipherOptions;
  readonly #own = new OwnValues();

  constructor(options: ValueCipherOptions) {
    this.#options = options;
    const name = options.prefix.replace(/^\/+|\/+$/g, '');
    this.#prefix = name === '' ? '' : `/${name}`;
  }

  /** What is to be stored; keeps the value for the event of the write. Throws or rejects with an UnreadableError. */
  conceal(key: string, plain: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const transformer = this.#transformer(key);
    if (transformer === undefined) return plain;
    const failed = (error: unknown): never => {
      throw this.#unreadable(key, 0, error);
    };
    let stored;
    try {
      stored = transformer.toStorage(plain, this.#prefix + key);
    } catch (error) {
      return failed(error);
    }
    return stored instanceof Promise
      ? stored.then((bytes) => this.#keep(key, bytes, plain), failed)
      : this.#keep(key, stored, plain);
  }

  /** The key with its value as it was before encryption, or with a failure. Never throws or rejects. */
  reveal(kv: StoredKeyValue): StoredKeyValue | Promise<StoredKeyValue> {
    const transformer = this.#transformer(kv.key);
    if (transformer === undefined) return kv;
    const succeeded = ({ value, isStale }: Revealed): StoredKeyValue =>
      value === kv.value && !isStale ? kv : { ...kv, value, isStale };
    const failed = (error: unknown): StoredKeyValue => ({
      ...kv,
      failure: this.#unreadable(kv.key, kv.modRevision, error),
    });
    let revealed;
    try {
      revealed = transformer.fromStorage(kv.value, this.#prefix + kv.key);
    } catch (error) {
      return failed(error);
    }
    return revealed instanceof Promise ? revealed.then(succeeded, failed) : succeeded(revealed);
  }

  /** As {@link reveal}; own writes are known already. */
  revealEvent(event: StorageEvent): StorageEvent | Promise<StorageEvent> {
    if (event.type === 'delete') return event;
    const { kv } = event;
    const own = this.#own.take(kv.key, kv.value);
    if (own !== undefined) return { type: 'put', kv: { ...kv, value: own } };
    const revealed = this.reveal(kv);
    if (revealed instanceof Promise) return revealed.then((one) => ({ type: 'put', kv: one }));
    return revealed === kv ? event : { type: 'put', kv: revealed };
  }

  #keep(key: string, stored: Uint8Array, plain: Uint8Array): Uint8Array {
    if (stored !== plain) this.#own.add(key, stored, plain);
    return stored;
  }

  #transformer(key: string): ValueTransformer | undefined {
    const resource = this.#options.resourceOf(key);
    return resource === undefined ? undefined : this.#options.transformerOf(resource);
  }

  #unreadable(key: string, revision: number, error: unknown): UnreadableError {
    const reason = error instanceof Error ? error.message : String(error);
    return new UnreadableError(reason, { key, storedKey: this.#prefix + key, revision, cause: error });
  }
}
