import { readFile } from 'node:fs/promises';
import { watchFiles } from '#shared/files/watch-files.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { ConfigurationError } from './decode-configuration.ts';
import { readError } from './read-error.ts';

/** New contents are right, but cannot come into effect yet: they are tried again within a minute. */
export class NotYetUsableError extends ConfigurationError {}

/** What became of new contents of a file. */
export type ReloadListener = (outcome: 'success' | 'failure', bytes: Uint8Array | undefined) => void;

export interface ReloadedConfigurationOptions {
  readonly file: string;
  /** The contents that are in effect already, from which the server started. */
  readonly applied: Uint8Array;
  /**
   * Reads, checks and puts into effect. False if the contents mean what is in effect already, which counts as no reload.
   * @throws ConfigurationError (or anything) if nothing of the contents may come into effect
   */
  readonly apply: (bytes: Uint8Array) => Promise<boolean> | boolean;
  /** Counts reloads; see `reload-metrics.ts`. */
  readonly onReload?: ReloadListener;
  /** Writes to the log why the contents were kept out. */
  readonly reportError: (message: string, error: unknown) => void;
}

/**
 * Follows a configuration file. New contents come into effect within a second after the file was written or replaced;
 * contents that are wrong are kept out, logged and counted once, and what was in effect stays. An empty file is not
 * read as "nothing configured" unless `apply` says so.
 */
export class ReloadedConfiguration {
  readonly #options: ReloadedConfigurationOptions;
  readonly #rounds: Reconciler;
  readonly #endWatch: () => void;
  #last: Uint8Array;

  constructor(options: ReloadedConfigurationOptions) {
    this.#options = options;
    this.#last = options.applied;
    this.#rounds = new Reconciler({ round: () => this.#read(), onError: (error) => this.#refuse(error) });
    this.#endWatch = watchFiles([options.file], () => this.#rounds.request());
    // The file may have changed between the start and the watch.
    this.#rounds.request();
  }

  async close(): Promise<void> {
    this.#endWatch();
    await this.#rounds.close();
  }

  async #read(): Promise<void> {
    const { file, apply, onReload } = this.#options;
    let bytes;
    try {
      bytes = await readFile(file);
    } catch (error) {
      throw new ConfigurationError(readError(error, file));
    }
    if (Buffer.compare(bytes, this.#last) === 0) return;
    const previous = this.#last;
    this.#last = bytes;
    try {
      if (await apply(bytes)) onReload?.('success', bytes);
    } catch (error) {
      if (error instanceof NotYetUsableError) this.#last = previous;
      throw error;
    }
  }

  #refuse(error: unknown): void {
    this.#options.reportError(`the configuration stays as it was: ${this.#options.file}`, error);
    this.#options.onReload?.('failure', undefined);
  }
}
