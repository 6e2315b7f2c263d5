import type { CommitChanges, CommitResult, StateChange, WorkerTask } from './commit-batch.ts';
import { DiskFullError } from './commit-thread.ts';
import { LogDamagedError } from './log-damage.ts';

/** A change that is applied in memory and not yet on the disk. */
export interface PendingCommit extends CommitChanges {
  /** The store's revision after the change. */
  readonly revision: number;
  /** Reverts the change in memory. */
  undo(): void;
}

/** Writes commits to the disk (commit-thread.ts). */
export interface CommitWriter {
  /** Writes one commit. @throws as {@link ask} */
  commit(changes: CommitChanges): Promise<CommitResult>;
  /**
   * Does anything else.
   *
   * @throws DiskFullError, LogDamagedError (nothing was changed), or Error when the state of the file is unknown (as
   * rejections)
   */
  ask(task: WorkerTask): Promise<CommitResult>;
}

export interface CommitListener {
  /** Called when `store.tip` lacks a commit. Resolves when nobody reads the file any more. */
  onTipStale(): Promise<void>;
  /** Called with commits, in order, when they are on the disk. */
  onDurable(commits: readonly PendingCommit[], result: CommitResult): void;
  /** Called when the disk is full or the file is damaged: no queued commit was written, and all have been undone. */
  onRefused(error: DiskFullError | LogDamagedError): void;
  /** Called when a commit failed and the state of the file is unknown: the process must exit. */
  onFatal(error: Error): void;
}

interface Queued {
  readonly commit: PendingCommit;
  readonly done: PromiseWithResolvers<void>;
}

/** One write to the disk takes up to so many commits and bytes, so that its latency stays bounded under load. */
const maxCommits = 4096;
const maxBytes = 8 * 1024 * 1024;

/** Group commit: changes that arrive during a commit are gathered for the next one. */
export class CommitQueue {
  readonly #writer: CommitWriter;
  readonly #listener: CommitListener;
  #queued: Queued[] = [];
  #inFlight: Queued[] = [];
  #scheduled = false;
  #idleWaiters: (() => void)[] = [];

  constructor(writer: CommitWriter, listener: CommitListener) {
    this.#writer = writer;
    this.#listener = listener;
  }

  /**
   * Resolves when the change is on the disk. @throws DiskFullError, LogDamagedError (as rejections), after the change
   * was undone
   */
  add(commit: PendingCommit): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#queued.push({ commit, done });
    this.#schedule();
    return done.promise;
  }

  /** Resolves when all changes added so far are on the disk; rejects when one of them fails. */
  settled(): Promise<void> {
    return (this.#queued.at(-1) ?? this.#inFlight.at(-1))?.done.promise ?? Promise.resolve();
  }

  /** Resolves when no commit is queued or being written. */
  idle(): Promise<void> {
    if (this.#queued.length === 0 && this.#inFlight.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight.length > 0) return;
    this.#scheduled = true;
    // Runs after this turn of the event loop, so that all requests read in it share the commit.
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    let count = 0;
    let bytes = 0;
    while (count < this.#queued.length && count < maxCommits && bytes < maxBytes) {
      for (const row of (this.#queued[count++] as Queued).commit.rows) bytes += row.kv.length;
    }
    this.#inFlight = this.#queued.splice(0, count);
    if (this.#inFlight.length === 0) return this.#becomeIdle();
    this.#writer.commit(changesOf(this.#inFlight)).then(
      (result) => {
        if (result.isTipStale !== true) this.#committed(result);
        else void this.#listener.onTipStale().then(() => this.#committed(result));
      },
      (error: unknown) => this.#failed(error as Error),
    );
  }

  #committed(result: CommitResult): void {
    const done = this.#inFlight;
    this.#inFlight = [];
    this.#listener.onDurable(
      done.map((queued) => queued.commit),
      result,
    );
    for (const queued of done) queued.done.resolve();
    this.#flush();
  }

  #failed(error: Error): void {
    if (!(error instanceof DiskFullError || error instanceof LogDamagedError)) return this.#listener.onFatal(error);
    // Queued changes build on the failed ones, so all of them are undone.
    const lost = [...this.#inFlight, ...this.#queued];
    this.#inFlight = [];
    this.#queued = [];
    for (const queued of lost.toReversed()) queued.commit.undo();
    this.#listener.onRefused(error);
    for (const queued of lost) queued.done.reject(error);
    this.#becomeIdle();
  }

  #becomeIdle(): void {
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}

function changesOf(queued: readonly Queued[]): CommitChanges {
  const [first] = queued;
  if (first !== undefined && queued.length === 1) return first.commit;
  const commits = queued.map((item) => item.commit);
  return {
    rows: commits.flatMap((commit) => commit.rows),
    deletedIds: commits.flatMap((commit) => commit.deletedIds),
    leases: commits.flatMap((commit) => commit.leases),
    state: Object.assign({}, ...commits.map((commit) => commit.state)) as StateChange,
  };
}
