import type { Storage } from '../storage/storage.ts';
import type { ChangeRingLimits } from './change-ring.ts';
import type { EntryDecoder } from './watch-cache.ts';

export interface StorageWatchCacheOptions {
  readonly storage: Storage;
  /** Ends with `/`. */
  readonly prefix: string;
  readonly decode: EntryDecoder;
  readonly onUndecodable: (key: string, error: unknown) => void;
  readonly reportError: (error: unknown) => void;
  readonly firstRevision: () => number;
  readonly refusesFuture: boolean;
  readonly history: ChangeRingLimits;
}
