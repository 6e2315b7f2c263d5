import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

const partialName = /^(.+)\.(\d+)\.part(?:-journal|-wal|-shm)?$/;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A file or folder that is built under a temporary name beside its target; the user renames it when it is complete.
 * Otherwise it is removed when this object is disposed or a signal ends the process, and after a crash by the next
 * process that builds the same target.
 */
export class PartialFile implements Disposable {
  readonly path: string;
  readonly #onSignal: (signal: NodeJS.Signals) => void;

  constructor(target: string) {
    const name = resolve(target);
    removeAbandoned(dirname(name), (made) => made === basename(name));
    this.path = `${name}.${process.pid}.part`;
    // Left by an earlier process with the same id.
    remove(this.path);
    this.#onSignal = (signal) => {
      this[Symbol.dispose]();
      process.kill(process.pid, signal);
    };
    for (const signal of signals) process.on(signal, this.#onSignal);
  }

  [Symbol.dispose](): void {
    for (const signal of signals) process.off(signal, this.#onSignal);
    remove(this.path);
  }
}

/**
 * Removes unfinished files that ended processes left in a folder.
 * @param isMade whether a finished file may have this name
 */
export function removeAbandoned(folder: string, isMade: (name: string) => boolean): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // An unreadable folder is ignored here: writing into it will report the reason.
    return;
  }
  for (const name of names) {
    const [, made = '', pid = ''] = partialName.exec(name) ?? [];
    if (made !== '' && isMade(made) && !isRunning(Number(pid)))
      rmSync(`${folder}/${name}`, { recursive: true, force: true });
  }
}

function remove(path: string): void {
  for (const suffix of ['', '-journal']) rmSync(`${path}${suffix}`, { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
