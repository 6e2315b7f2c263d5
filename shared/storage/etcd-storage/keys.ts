import { Buffer } from 'node:buffer';
import type { KeyValue as WireKeyValue } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { StoredKeyValue } from '#shared/storage/storage.ts';

/** Adds the cluster's prefix (`/registry`) to keys, and removes it again. */
export class KeySpace {
  readonly #prefix: string;
  readonly #prefixBytes: number;

  constructor(prefix: string) {
    const trimmed = prefix.replace(/^\/+|\/+$/g, '');
    this.#prefix = trimmed === '' ? '' : `/${trimmed}`;
    this.#prefixBytes = Buffer.byteLength(this.#prefix);
  }

  encode(key: string): Buffer {
    return Buffer.from(this.#prefix + key, 'utf8');
  }

  decode(key: Buffer): string {
    return key.toString('utf8', this.#prefixBytes);
  }

  keyValue(kv: WireKeyValue): StoredKeyValue {
    return {
      key: this.decode(kv.key),
      value: kv.value,
      createRevision: kv.createRevision,
      modRevision: kv.modRevision,
      lease: kv.lease === '0' ? '' : kv.lease,
    };
  }
}

/** First key after all that begin with `prefix`: the exclusive end of etcd's ranges. */
export function prefixEnd(prefix: Uint8Array): Buffer {
  const end = Buffer.from(prefix);
  for (let i = end.length - 1; i >= 0; i--) {
    const byte = end[i] as number;
    if (byte === 0xff) continue;
    end[i] = byte + 1;
    return end.subarray(0, i + 1);
  }
  return Buffer.from([0]);
}

/** The key that follows `key` immediately: where the next page starts. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}
