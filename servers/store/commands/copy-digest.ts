import { createHash } from 'node:crypto';
import type { KeyValue } from '#shared/storage/etcd-wire/kv-messages.ts';

/**
 * The digest of one side of a copy: a SHA-256 over keys and values in order. Each key with a lease has a separate
 * SHA-256, as the lease may expire between the readings of the two sides.
 */
export class CopyDigest {
  readonly #plain = createHash('sha256');
  readonly #leased = new Map<string, string>();
  #keys = 0;
  #sum: string | undefined;

  add({ key, value, lease }: KeyValue): void {
    this.#keys++;
    if (lease === '0') {
      addTo(this.#plain, key, value);
      return;
    }
    const hash = createHash('sha256');
    addTo(hash, key, value);
    this.#leased.set(key.toString('latin1'), hash.digest('hex'));
  }

  get keys(): number {
    return this.#keys;
  }

  get leased(): number {
    return this.#leased.size;
  }

  /** The sum of this side, with all keys that have a lease. */
  get sum(): string {
    return (this.#sum ??= this.#finish(this.#leased));
  }

  /**
   * The sum of the other side, where keys with an expired lease count with their hash from this side. May be called
   * only once.
   */
  sumOf(other: CopyDigest): string {
    return other.#finish(new Map([...this.#leased].map(([key, sum]) => [key, other.#leased.get(key) ?? sum])));
  }

  #finish(leased: ReadonlyMap<string, string>): string {
    for (const sum of leased.values()) this.#plain.update(sum);
    return this.#plain.digest('hex');
  }
}

function addTo(hash: ReturnType<typeof createHash>, key: Uint8Array, value: Uint8Array): void {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(key.length, 0);
  lengths.writeUInt32LE(value.length, 4);
  hash.update(lengths).update(key).update(value);
}
