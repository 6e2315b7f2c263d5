import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CommitResult, WorkerAnswer, WorkerStart, WorkerTask } from './commit-batch.ts';
import { LogDamagedError } from './log-damage.ts';

/** The disk has no room; nothing was changed. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** Beside this module in the sources; in a bundle, beside the bundle. */
const workerFiles = ['./commit-worker.ts', './commit-worker.js'];

const largestSpareBytes = 1024 * 1024;

/** The worker thread, asked one thing after the other. */
export class CommitThread {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (result: CommitResult) => void; reject: (error: Error) => void }[] = [];
  #failure: Error | undefined;
  /** Memory of the last batch, for the next: the garbage collector would be late to free it. */
  #spare: ArrayBuffer | undefined;

  constructor(start: WorkerStart) {
    const url = workerFiles
      .map((file) => new URL(file, import.meta.url))
      .find((candidate) => existsSync(fileURLToPath(candidate)));
    if (url === undefined)
      throw new Error(
        `the store's worker is missing: neither ${workerFiles.join(' nor ')} is beside ${import.meta.url}`,
      );
    this.#worker = new Worker(url, {
      workerData: start,
      // It holds a batch at a time; without limits its heap would take its time to collect.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256, stackSizeMb: 1 },
    });
    this.#worker.on('message', (answer: WorkerAnswer) => {
      const asked = this.#waiting.shift();
      if (answer.ok && answer.rows !== undefined && answer.rows.byteLength <= largestSpareBytes)
        this.#spare = answer.rows;
      if (answer.ok) asked?.resolve(answer.result);
      else asked?.reject(toError(answer));
    });
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`the store's worker thread ended (${code})`)));
  }

  /** Memory for {@link packRows}; it is the caller's then. */
  takeSpare(): ArrayBuffer | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare;
  }

  /**
   * @throws DiskFullError, LogDamagedError (nothing was changed), or Error when the state of the file is unknown (as
   * rejections)
   */
  ask(task: WorkerTask): Promise<CommitResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(
        task,
        task.kind === 'commit' ? [task.batch.rows, task.batch.deletedIds.buffer as ArrayBuffer] : [],
      );
    });
  }

  async close(): Promise<void> {
    try {
      await this.ask({ kind: 'close' });
    } finally {
      // A damaged file may refuse to be closed; the thread ends all the same.
      await this.#worker.terminate();
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const asked of this.#waiting.splice(0)) asked.reject(this.#failure);
  }
}

function toError({ failure, message }: Extract<WorkerAnswer, { ok: false }>): Error {
  if (failure === 'full') return new DiskFullError(message);
  return failure === 'damaged' ? new LogDamagedError(message) : new Error(message);
}
