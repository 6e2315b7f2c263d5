import type { Lessor } from '#servers/store/lease/lessor.ts';
import type { Compactor } from '#servers/store/mvcc/compactor.ts';
import type { LogFile } from '#servers/store/mvcc/log-file.ts';
import type { Marks } from '#servers/store/mvcc/marks.ts';
import type { ServedTip } from '#servers/store/mvcc/served-tip.ts';
import type { SpaceGuard } from '#servers/store/mvcc/space-guard.ts';
import type { MvccStore } from '#servers/store/mvcc/store.ts';
import type { WatchHub } from '#servers/store/watch/watch-hub.ts';
import type { AnswerHeader } from './answer-header.ts';

/** The dependencies of a running store. */
export interface StoreServiceDependencies {
  readonly file: LogFile;
  readonly tip: ServedTip;
  readonly store: MvccStore;
  readonly lessor: Lessor;
  readonly hub: WatchHub;
  readonly guard: SpaceGuard;
  readonly compactor: Compactor;
  readonly marks: Marks;
  /** Called with each value that was written, when it is durable; they must not throw. */
  readonly valueListeners: Set<(value: Buffer) => void>;
  readonly header: AnswerHeader;
  /** Addresses that clients may use, for the member list. */
  readonly clientUrls: () => readonly string[];
}
