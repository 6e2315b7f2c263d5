import type { ChildProcess } from 'node:child_process';
import type { Need } from './needs.ts';

/** Folders of one row, and the address that its server shall have. */
export interface Place {
  /** Private, empty at the beginning, and removed at the end. */
  readonly folder: string;
  /** `<folder>/data`: the data directory, unless the row names another one. Not made yet. */
  readonly dataDir: string;
  readonly port: number;
}

/** A server of a row that has served its first requests. */
export interface RunningServer {
  readonly place: Place;
  readonly launcher: ChildProcess;
  readonly kubeconfig: string;
  /** What the processes wrote so far. */
  readonly output: () => string;
  /** Resolves when the output matches. Rejects when it does not within the limit of the run. */
  readonly untilSaid: (line: RegExp) => Promise<void>;
  /** Sends requests as kubectl would, with the written kubeconfig. Rejects when they fail. */
  readonly request: () => Promise<void>;
}

/** One row of the matrix: how the server is started, and what has to be seen. */
export interface Surrounding {
  /** Ends the sentence "a server …". */
  readonly name: string;
  /** What the machine has to have, or the row is left out. */
  readonly needs?: readonly Need[];
  /** A command that runs the command behind it, such as `prlimit`. */
  readonly wrapper?: (place: Place) => readonly string[];
  /** For the requests; without it they are sent from outside of the surrounding. `pid` is the launcher's. */
  readonly clientWrapper?: (place: Place, pid: number) => readonly string[];
  /** Changes of the environment; undefined removes a variable. */
  readonly environment?: (place: Place) => Readonly<Record<string, string | undefined>>;
  /** Flags besides `--data-dir` and `--secure-port`. */
  readonly flags?: (place: Place) => readonly string[];
  /** The value of `--data-dir`; undefined leaves the flag away. */
  readonly dataDir?: (place: Place) => string | undefined;
  /** The working directory; without it the place's folder. */
  readonly workingDirectory?: (place: Place) => string;
  /** Runs before the start. @returns what undoes it */
  readonly prepare?: (place: Place) => (() => void) | void;
  /**
   * Runs after the first requests, but for a start that waits; the server has to serve behind it. Rejects with what was
   * wrong.
   */
  readonly meanwhile?: (server: RunningServer) => Promise<void>;
  /**
   * `serves`: the server is ready and serves. `ends`: the start ends by itself with one line and a code that is not 0.
   * `stops`: the server ends so after what happened {@link meanwhile}. `waits`: the start says its line, and the server
   * serves after what happened {@link meanwhile}.
   */
  readonly outcome: 'serves' | 'ends' | 'stops' | 'waits';
  /** What the line has to say: cause and remedy; for a server that serves, what it has to say besides. */
  readonly says?: readonly RegExp[];
  /** What it must not say. */
  readonly neverSays?: RegExp;
}

export interface Group {
  readonly name: string;
  readonly rows: readonly Surrounding[];
}

/** A wrapper that runs lines of a shell first. */
export function behind(lines: string): readonly string[] {
  return ['/bin/sh', '-c', `${lines}\nexec "$@"`, 'sh'];
}

/** A wrapper that runs lines of a shell first, whose mounts nobody else sees. */
export function behindMounts(lines: string): readonly string[] {
  return ['unshare', '--mount', '--propagation', 'private', ...behind(`set -e\n${lines}`)];
}
