import type {
  Storage,
  StorageError,
  StorageEvent,
  StorageWatchHandlers,
  StorageWatchOptions,
} from '#shared/storage/storage.ts';

export interface RecordedWatch {
  readonly isOpen: boolean;
  readonly events: readonly StorageEvent[];
  /** Number of calls of `onEvents`. */
  readonly calls: number;
  readonly error: StorageError | undefined;
  heard(count: number): Promise<void>;
  /** Requests progress until the watch has reached this revision. */
  progressTo(revision: number): Promise<void>;
  ended(): Promise<void>;
  close(): void;
}

const askAgainMs = 20;

/** A watch that records its events, and can be waited for. */
export function recordWatch(
  storage: Storage,
  prefix: string,
  fromRevision: number,
  options?: StorageWatchOptions,
): RecordedWatch {
  const events: StorageEvent[] = [];
  let waiting: { readonly until: () => boolean; readonly resolve: () => void }[] = [];
  let calls = 0;
  let progress = 0;
  let error: StorageError | undefined;
  const check = (): void => {
    const met = waiting.filter(({ until }) => until());
    waiting = waiting.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve();
  };
  const until = (condition: () => boolean): Promise<void> =>
    condition() ? Promise.resolve() : new Promise((resolve) => waiting.push({ until: condition, resolve }));
  const handlers: StorageWatchHandlers = {
    onEvents: (batch, revision) => {
      calls += 1;
      progress = revision;
      events.push(...batch);
      check();
    },
    onProgress: (revision) => {
      progress = revision;
      check();
    },
    onError: (failure) => {
      error = failure;
      check();
    },
  };
  const watch = storage.watch(prefix, fromRevision, handlers, options);
  return {
    get isOpen() {
      return watch.isOpen;
    },
    events,
    get calls() {
      return calls;
    },
    get error() {
      return error;
    },
    heard: (count) => until(() => events.length >= count),
    progressTo: async (revision) => {
      const timer = setInterval(() => storage.requestProgress(), askAgainMs);
      await until(() => progress >= revision).finally(() => clearInterval(timer));
    },
    ended: () => until(() => error !== undefined),
    close: () => watch.close(),
  };
}
