import type { Storage } from '#shared/storage/storage.ts';

const retryMs = 1_000;

export interface PrefixFollower {
  close(): void;
}

export interface PrefixFollowerOptions {
  /** The part of the storage that holds the prefix (`storageOf`): each part counts revisions of its own. */
  readonly storage: Pick<Storage, 'currentRevision' | 'watch'>;
  readonly prefix: string;
  readonly onChange: () => void;
  /** Called with each failed attempt, once a second while storage is unavailable. */
  readonly onError: (error: unknown) => void;
}

/**
 * Calls `onChange` now and whenever something below a prefix changes. Once storage is back after an outage, `onChange`
 * is called for the missed changes. For callers that need no cache of the objects.
 */
export function followPrefix(options: PrefixFollowerOptions): PrefixFollower {
  return new Follower(options);
}

class Follower implements PrefixFollower {
  readonly #options: PrefixFollowerOptions;
  #watch: ReturnType<Storage['watch']> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PrefixFollowerOptions) {
    this.#options = options;
    void this.#begin();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watch?.close();
  }

  async #begin(): Promise<void> {
    const { storage, prefix, onChange, onError } = this.#options;
    try {
      const revision = await storage.currentRevision();
      if (this.#closed) return;
      onChange();
      this.#watch = storage.watch(prefix, revision + 1, {
        onEvents: onChange,
        onProgress: () => undefined,
        // The revision was compacted while the connection was down: begins again at the current revision.
        onError: () => void this.#begin(),
      });
    } catch (error) {
      if (this.#closed) return;
      onError(error);
      this.#timer = setTimeout(() => void this.#begin(), retryMs).unref();
    }
  }
}
