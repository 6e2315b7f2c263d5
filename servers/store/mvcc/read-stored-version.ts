import type { VersionRef } from './key-entry.ts';
import { decodeKeyValue } from './kv-encoding.ts';
import type { MvccStore } from './store.ts';

/** What one version of a key was. */
export interface StoredVersion {
  readonly value: Buffer;
  readonly lease: string;
}

/**
 * Reads a version that compactions have left, since a mark holds them back.
 * @throws EtcdRpcError when its row is damaged
 */
export function readStoredVersion(store: MvccStore, ref: VersionRef): StoredVersion {
  const bytes = store.bytes(ref);
  if (bytes === undefined) throw new Error(`row ${ref.id} of the log was compacted in spite of a mark`);
  return decodeKeyValue(bytes);
}

/** Resolves once the event loop has done its other work, between the parts of a long task. */
export function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
