import { randomUUID } from 'node:crypto';
import type { StoreImage } from '#servers/store/mvcc/store-image.ts';

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/**
 * The same objects with uids of their own, references between them included: programs tell clusters apart by the uid
 * of the namespace kube-system. A uid stands as its 36 characters in each encoding of a stored object.
 */
export function withFreshUids({ entries, leases }: StoreImage): StoreImage {
  const fresh = new Map<string, string>();
  const freshOf = (old: string): string => {
    const known = fresh.get(old) ?? randomUUID();
    fresh.set(old, known);
    return known;
  };
  return {
    leases,
    entries: entries.map(({ key, value, lease }) => ({
      key,
      value: Buffer.from(value.toString('latin1').replace(uid, freshOf), 'latin1'),
      lease,
    })),
  };
}
