import { randomUUID } from 'node:crypto';
import type { ImageEntry, StoreImage } from '#servers/store/mvcc/store-image.ts';

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** The objects that servers make at their first start, in memory, to begin further clusters with. */
export class StartObjects {
  readonly #entries: readonly ImageEntry[];

  /**
   * @param image stays the caller's
   * @throws EtcdRpcError when a row is damaged
   */
  constructor(image: StoreImage) {
    this.#entries = image.entries.flatMap(({ key, id, read }) => {
      const version = read();
      // What is under a lease tells of a server that runs.
      return version.lease === '0' ? [{ key, id, read: () => version }] : [];
    });
  }

  /**
   * The same objects with uids of their own, references between them included: programs tell clusters apart by the uid
   * of the namespace kube-system. A uid stands as its 36 characters in each encoding of a stored object.
   */
  withFreshUids(): StoreImage {
    const fresh = new Map<string, string>();
    const freshOf = (old: string): string => {
      const known = fresh.get(old) ?? randomUUID();
      fresh.set(old, known);
      return known;
    };
    const entries = this.#entries.map(({ key, id, read }) => ({
      key,
      id,
      read: () => ({ value: Buffer.from(read().value.toString('latin1').replace(uid, freshOf), 'latin1'), lease: '0' }),
    }));
    return { entries, ttlOf: () => undefined, release: () => undefined };
  }
}
