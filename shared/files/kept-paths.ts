import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sep } from 'node:path';

const usualPauseMs = 2_000;

export interface KeptPath {
  readonly path: string;
  /** What follows from its loss, and what to do. */
  readonly remedy: string;
  /** Whether another file or folder may take its place, such as one that comes from a backup. Default: no. */
  readonly mayBeReplaced?: boolean;
}

export interface KeptPathsOptions {
  /** Paths that do not exist yet count from the time when they are first seen. */
  readonly paths: readonly KeptPath[];
  /** Called with one line when a path is lost, and when it is back. */
  readonly tell: (line: string) => void;
  /** Called after each check that changed {@link KeptPaths.faults}. */
  readonly onChange?: (faults: readonly string[]) => void;
  readonly everyMs?: number;
}

/** Device and inode, or `gone`. */
type Identity = string;

/**
 * Files and folders that a process has open, or needs later: an open file that is removed can be read and written, and
 * is lost when it is closed. Their names are looked at every two seconds, as some file systems report no changes.
 */
export class KeptPaths {
  readonly #options: KeptPathsOptions;
  readonly #known = new Map<string, Identity>();
  readonly #timer: NodeJS.Timeout;
  #faults: ReadonlyMap<string, string> = new Map();
  #isChecking = false;
  #isClosed = false;

  constructor(options: KeptPathsOptions) {
    this.#options = options;
    for (const { path } of options.paths) {
      const found = statSync(path, { throwIfNoEntry: false, bigint: true });
      if (found !== undefined) this.#known.set(path, identityOf(found));
    }
    this.#timer = setInterval(() => void this.#check(), options.everyMs ?? usualPauseMs).unref();
  }

  /** A line for each path that is lost; what belongs to another one that is lost is left out. */
  get faults(): readonly string[] {
    return [...this.#faults.values()];
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const found = await Promise.all(this.#options.paths.map(({ path }) => identityAt(path)));
      if (!this.#isClosed) this.#compare(new Map(this.#options.paths.map((kept, at) => [kept, found[at]])));
    } finally {
      this.#isChecking = false;
    }
  }

  #compare(found: ReadonlyMap<KeptPath, Identity | undefined>): void {
    const faults = new Map<string, string>();
    for (const [{ path, remedy, mayBeReplaced = false }, identity] of found) {
      const known = this.#known.get(path);
      if (known === undefined && identity !== undefined && identity !== 'gone') this.#known.set(path, identity);
      if (known === undefined || identity === undefined || identity === known) continue;
      if (identity !== 'gone' && mayBeReplaced) continue;
      if ([...faults.keys()].some((lost) => belongsTo(path, lost))) continue;
      faults.set(
        path,
        `${path} was ${identity === 'gone' ? 'removed' : 'replaced'} below the running servers: ${remedy}`,
      );
    }
    const before = this.#faults;
    this.#faults = faults;
    const lost = [...faults].filter(([path, line]) => before.get(path) !== line);
    const back = [...before.keys()].filter((path) => !faults.has(path));
    for (const [, line] of lost) this.#options.tell(line);
    for (const path of back) this.#options.tell(`${path} is back`);
    if (lost.length + back.length > 0) this.#options.onChange?.(this.faults);
  }
}

/** Whether a path lies below another one, or is a file beside it whose name begins with it, as SQLite makes them. */
function belongsTo(path: string, other: string): boolean {
  return path.startsWith(other + sep) || path.startsWith(`${other}-`);
}

/** Undefined where the file system does not tell. */
async function identityAt(path: string): Promise<Identity | undefined> {
  try {
    return identityOf(await stat(path, { bigint: true }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : undefined;
  }
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): Identity {
  return `${dev} ${ino}`;
}
