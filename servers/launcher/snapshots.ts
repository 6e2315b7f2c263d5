import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { removeAbandoned } from '#shared/files/partial-file.ts';
import { makeFolder } from '#shared/files/private-folder.ts';
import { usingFile } from '#shared/files/unusable-file.ts';
import { childMarker } from '#shared/process/child-marker.ts';
import { childFlags } from './node-flags.ts';

/** Names of snapshots made by this class; they sort by time. Other files in the folder are not touched. */
const snapshotName = /^snapshot-\d{8}T\d{6}Z\.db$/;
/** Name of a snapshot, or of the folder with its keys. */
const madeName = /^snapshot-\d{8}T\d{6}Z\.db(?:\.pki)?$/;
/** Longest delay of one timer; longer intervals use several timers. */
const longestTimerMs = 24 * 3_600_000;
/** Snapshots run at a low priority, so that requests come first. */
const niceness = 10;
const longestErrorBytes = 10_000;

export interface SnapshotsOptions {
  /** Path of the program that dispatches sub-commands. */
  readonly entry: string;
  /** Data directory of the store. */
  readonly storeDir: string;
  readonly folder: string;
  readonly intervalMs: number;
  /** Number of snapshots that are kept. */
  readonly retention: number;
  readonly withPki: boolean;
  readonly report: (line: string) => void;
}

/**
 * Saves snapshots of the embedded store at intervals in a separate process, and removes the oldest ones. After a
 * restart the interval continues from the newest snapshot.
 */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #now: () => number;
  readonly #wallNow: () => number;
  #timer: NodeJS.Timeout | undefined;
  #child: ChildProcess | undefined;
  #dueMs: number;
  #stopped = false;

  /**
   * `now`: milliseconds by a monotonic clock, for the interval; `wallNow`: for names.
   * @throws UnusableFileError when the folder cannot be used
   */
  constructor(
    options: SnapshotsOptions,
    now: () => number = () => performance.now(),
    wallNow: () => number = () => Date.now(),
  ) {
    this.#options = options;
    [this.#now, this.#wallNow] = [now, wallNow];
    usingFile(options.folder, () => makeFolder(options.folder));
    const newest = this.#kept().at(-1);
    const ageMs = newest === undefined ? 0 : wallNow() - statSync(join(options.folder, newest)).mtimeMs;
    // A file may have a time of the future, where the clock was set back.
    this.#dueMs = now() + options.intervalMs - Math.max(0, ageMs);
    this.#wait();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#child?.kill('SIGTERM');
  }

  #wait(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(
      () => {
        if (this.#now() < this.#dueMs) return this.#wait();
        void this.#save().then(() => {
          this.#dueMs = this.#now() + this.#options.intervalMs;
          this.#wait();
        });
      },
      Math.min(longestTimerMs, Math.max(0, this.#dueMs - this.#now())),
    ).unref();
  }

  async #save(): Promise<void> {
    const { folder, retention, report } = this.#options;
    const name = `snapshot-${new Date(this.#wallNow()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.db`;
    try {
      // Removes unfinished snapshots of killed processes. Every snapshot has a new name, so nothing else would replace
      // them.
      removeAbandoned(folder, (made) => madeName.test(made));
      const failure = await this.#run(join(folder, name));
      if (this.#stopped) return;
      if (failure !== undefined) throw new Error(failure);
      for (const old of this.#byAge(name).slice(0, -retention)) {
        for (const path of [old, `${old}.pki`]) rmSync(join(folder, path), { recursive: true, force: true });
      }
    } catch (error) {
      report(
        `snapshot ${join(folder, name)} was not made, the next is tried in ${Math.round(this.#options.intervalMs / 1000)} s: ${(error as Error).message}`,
      );
    }
  }

  /**
   * Names of the snapshots, oldest first. Names with a later time than the newest were made before the clock was set
   * back.
   */
  #byAge(newest: string): string[] {
    const names = this.#kept();
    return [...names.filter((name) => name > newest), ...names.filter((name) => name <= newest)];
  }

  /** Names of the existing snapshots, in ascending order. */
  #kept(): string[] {
    return readdirSync(this.#options.folder)
      .filter((name) => snapshotName.test(name))
      .toSorted();
  }

  /** Saves a snapshot. @returns the reason of a failure; undefined after a success */
  #run(file: string): Promise<string | undefined> {
    const { entry, storeDir, withPki } = this.#options;
    const argv = ['store', 'snapshot', 'save', file, '--data-dir', storeDir, ...(withPki ? ['--with-pki'] : [])];
    const child = spawn(process.execPath, [...process.execArgv, ...childFlags(), entry, ...argv], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, [childMarker]: '1' },
    });
    this.#child = child;
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => (errors = (errors + more).slice(-longestErrorBytes)));
    child.once('spawn', () => lowerPriority(child.pid));
    return new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) =>
        resolve(
          code === 0 ? undefined : errors.trim() === '' ? `it ended with ${signal ?? `code ${code}`}` : errors.trim(),
        ),
      );
    });
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // The process has ended already, or the system refuses; it runs at normal priority then.
  }
}
