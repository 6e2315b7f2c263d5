import type { Lessor } from '../lease/lessor.ts';
import type { Compactor } from '../mvcc/compactor.ts';
import type { LogFile } from '../mvcc/log-file.ts';
import type { SpaceGuard } from '../mvcc/space-guard.ts';
import type { MvccStore } from '../mvcc/store.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import type { AnswerHeader } from './answer-header.ts';

/** The parts of a running store. */
export interface StoreServiceParts {
  readonly file: LogFile;
  readonly store: MvccStore;
  readonly lessor: Lessor;
  readonly hub: WatchHub;
  readonly guard: SpaceGuard;
  readonly compactor: Compactor;
  readonly header: AnswerHeader;
  /** Addresses that clients may use, for the member list. */
  readonly clientUrls: () => readonly string[];
}
