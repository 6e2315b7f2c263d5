import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CommitResult, WorkerAnswer, WorkerStart, WorkerTask } from './commit-batch.ts';
import { LogDamagedError } from './log-damage.ts';

/** The disk has no room; nothing was changed. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** File names of the worker, beside this module in the sources or beside the bundle. */
const workerFiles = ['./commit-worker.ts', './commit-worker.js'];

const largestSpareBytes = 1024 * 1024;

/** Sends tasks to the worker thread, which answers them in order. */
export class CommitThread {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (result: CommitResult) => void; reject: (error: Error) => void }[] = [];
  #failure: Error | undefined;
  /** Buffer of the last batch, reused for the next, as the garbage collector would free it late. */
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
      // The worker needs memory for one batch at a time; without limits V8 would collect its heap late.
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

  /** Returns the spare buffer for {@link packRows}, and gives it up. */
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
      // Closing a damaged file may fail; the thread is ended anyway.
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
