import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CommitChanges, CommitResult, WorkerAnswer, WorkerStart, WorkerTask } from './commit-batch.ts';
import { newPackedRows, packedBytes, packRows } from './commit-batch.ts';
import { CommitSlot } from './commit-slot.ts';
import { LogDamagedError } from './log-damage.ts';

/** The disk has no room; nothing was changed. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** File names of the worker, beside this module in the sources or beside the bundle. */
const workerFiles = ['./commit-worker.ts', './commit-worker.js'];

const largestSpareBytes = 1024 * 1024;

/** `workerData` of the worker thread. */
export interface CommitWorkerData {
  readonly start: WorkerStart;
  /** Of {@link CommitSlot}. */
  readonly slot: SharedArrayBuffer;
}

/** Sends tasks to the worker thread, which answers messages in order. */
export class CommitThread {
  readonly #worker: Worker;
  readonly #slot = new CommitSlot();
  readonly #waiting: PromiseWithResolvers<CommitResult>[] = [];
  /** The commit that is in the slot. */
  #inSlot: PromiseWithResolvers<CommitResult> | undefined;
  #failure: Error | undefined;
  /** Memory of the last batch, reused for the next, as the garbage collector would free it late. */
  #spare: Uint8Array | undefined;

  constructor(start: WorkerStart) {
    const url = workerFiles
      .map((file) => new URL(file, import.meta.url))
      .find((candidate) => existsSync(fileURLToPath(candidate)));
    if (url === undefined)
      throw new Error(
        `the store's worker is missing: neither ${workerFiles.join(' nor ')} is beside ${import.meta.url}`,
      );
    this.#worker = new Worker(url, {
      workerData: { start, slot: this.#slot.memory } satisfies CommitWorkerData,
      // The worker needs memory for one batch at a time; without limits V8 would collect its heap late.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256, stackSizeMb: 1 },
    });
    this.#worker.on('message', (answer: WorkerAnswer) => {
      const asked = !answer.ok && answer.ofSlot === true ? this.#takeSlot() : this.#waiting.shift();
      if (answer.ok && answer.rows !== undefined && answer.rows.length <= largestSpareBytes) this.#spare = answer.rows;
      if (answer.ok) asked?.resolve(answer.result);
      else asked?.reject(toError(answer));
    });
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`the store's worker thread ended (${code})`)));
  }

  /**
   * Writes one commit. A small one of rows alone crosses in the shared slot, and any other as a message.
   *
   * @throws as {@link ask}
   */
  commit(changes: CommitChanges): Promise<CommitResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const size = packedBytes(changes.rows);
    const fits = this.#inSlot === undefined && size <= this.#slot.rows.length && isOfRows(changes);
    return fits ? this.#commitInSlot(changes) : this.#commitByMessage(changes, size);
  }

  /**
   * @throws DiskFullError, LogDamagedError (nothing was changed), or Error when the state of the file is unknown (as
   * rejections)
   */
  ask(task: WorkerTask): Promise<CommitResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const asked = Promise.withResolvers<CommitResult>();
    this.#waiting.push(asked);
    this.#worker.postMessage(
      task,
      task.kind === 'commit'
        ? [task.batch.rows.buffer as ArrayBuffer, task.batch.deletedIds.buffer as ArrayBuffer]
        : [],
    );
    this.#slot.wake();
    return asked.promise;
  }

  async close(): Promise<void> {
    try {
      await this.ask({ kind: 'close' });
    } finally {
      // Closing a damaged file may fail; the thread is ended anyway.
      await this.#worker.terminate();
    }
  }

  #commitInSlot({ rows }: CommitChanges): Promise<CommitResult> {
    const asked = (this.#inSlot = Promise.withResolvers<CommitResult>());
    packRows(rows, this.#slot.rows);
    void this.#slot.ask().then((result) => {
      // The message of a failure may have come before, and the next commit may be in the slot by now.
      if (result !== undefined && this.#inSlot === asked) this.#takeSlot()?.resolve(result);
    });
    return asked.promise;
  }

  #commitByMessage({ rows, deletedIds, leases, state }: CommitChanges, size: number): Promise<CommitResult> {
    const spare = this.#spare;
    this.#spare = undefined;
    const memory = spare !== undefined && spare.length >= size ? spare : newPackedRows(size);
    const packed = { rows: packRows(rows, memory), deletedIds: Float64Array.from(deletedIds) };
    return this.ask({ kind: 'commit', batch: { ...packed, leases, state } });
  }

  #takeSlot(): PromiseWithResolvers<CommitResult> | undefined {
    const asked = this.#inSlot;
    this.#inSlot = undefined;
    return asked;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const asked of this.#waiting.splice(0)) asked.reject(this.#failure);
    this.#takeSlot()?.reject(this.#failure);
  }
}

/** Whether a commit writes rows and nothing else, as nearly all do. */
function isOfRows({ deletedIds, leases, state }: CommitChanges): boolean {
  if (deletedIds.length > 0 || leases.length > 0) return false;
  for (const _name in state) return false;
  return true;
}

function toError({ failure, message }: Extract<WorkerAnswer, { ok: false }>): Error {
  if (failure === 'full') return new DiskFullError(message);
  return failure === 'damaged' ? new LogDamagedError(message) : new Error(message);
}
