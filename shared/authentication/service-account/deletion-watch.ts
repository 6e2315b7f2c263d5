import type { Storage, StorageWatch } from '#shared/storage/storage.ts';

const retryMs = 1000;
/** A watch that is silent for longer is asked how far it is. */
const askAfterMs = 400;
/** A watch that is silent for longer may be one whose connection hangs. */
const trustedMs = 1000;

type WatchedStorage = Pick<Storage, 'currentRevision' | 'requestProgress' | 'watch'>;

/** Where deletions are told. */
export interface DeletionListener {
  /** The object of this key in storage was deleted. */
  readonly onDeleted: (key: string) => void;
  /** Deletions may have been missed. */
  readonly onGap: () => void;
}

/** Tells of the deletions below a prefix. A broken connection is resumed without a gap. */
export class DeletionWatch {
  readonly #storage: WatchedStorage;
  readonly #prefix: string;
  readonly #listener: DeletionListener;
  readonly #now: () => number;
  #watch: StorageWatch | undefined;
  #heardMs = Number.NEGATIVE_INFINITY;
  #askedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `storage`: the part that holds the prefix, which counts revisions of its own. */
  constructor(
    storage: WatchedStorage,
    prefix: string,
    listener: DeletionListener,
    now: () => number = () => performance.now(),
  ) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#listener = listener;
    this.#now = now;
    void this.#begin();
  }

  /** Whether every deletion that is older than a second was told. */
  get isCurrent(): boolean {
    if (this.#watch?.isOpen !== true) return false;
    const now = this.#now();
    const silentMs = now - this.#heardMs;
    if (silentMs > askAfterMs && now - this.#askedMs > askAfterMs) {
      this.#askedMs = now;
      this.#storage.requestProgress();
    }
    return silentMs < trustedMs;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watch?.close();
  }

  async #begin(): Promise<void> {
    const { onDeleted, onGap } = this.#listener;
    const hear = (): void => void (this.#heardMs = this.#now());
    try {
      const revision = await this.#storage.currentRevision();
      if (this.#closed) return;
      // Objects that were read before this revision may be gone.
      onGap();
      this.#watch = this.#storage.watch(
        this.#prefix,
        revision + 1,
        {
          onEvents(events) {
            hear();
            for (const event of events) if (event.type === 'delete') onDeleted(event.key);
          },
          onProgress: hear,
          // The revision was compacted while the connection was down.
          onError: () => void this.#begin(),
        },
        { onlyDeletions: true },
      );
    } catch {
      // Storage is away, which whoever reads from it reports.
      if (!this.#closed) this.#timer = setTimeout(() => void this.#begin(), retryMs).unref();
    }
  }
}
