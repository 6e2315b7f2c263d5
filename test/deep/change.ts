import { execFileSync, spawnSync } from 'node:child_process';
import { areas, areasOfFolders, type Area } from './areas.ts';
import type { Suite } from './suite.ts';

/** Lines added and removed, by file. */
export type ChangedLines = ReadonlyMap<string, number>;

export interface Change {
  readonly lines: ChangedLines;
  /** What it was compared with, or why with nothing. */
  readonly since: string;
}

/** A session of work lasts three hours: what is older was there before it began. */
const sessionHours = 4;

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/**
 * What changed since the last landed commit, which a clone does not name: `base`, or the newest commit on the first
 * parents' line that is older than a session. A shallow clone may hold none.
 */
export function changeSince(folder: string, base: string | undefined, now: Date): Change {
  const before = new Date(now.getTime() - sessionHours * 3_600_000).toISOString();
  const commit = base ?? git(folder, 'log', '--first-parent', '-1', '--format=%H', `--before=${before}`);
  if (commit === '') return { lines: new Map(), since: `nothing: no commit here is older than ${sessionHours} hours` };
  const isHere = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: folder }).status === 0;
  if (!isHere) return { lines: new Map(), since: `nothing: ${commit} is not in this clone` };
  const rows = git(folder, 'diff', '--numstat', '--no-renames', commit, 'HEAD').split('\n');
  const lines = new Map<string, number>();
  for (const row of rows) {
    const [added, removed, file] = row.split('\t');
    // Binary files have no numbers.
    if (file !== undefined) lines.set(file, (Number(added) || 0) + (Number(removed) || 0));
  }
  return { lines, since: git(folder, 'log', '-1', '--format=%h (%cs) %s', commit) };
}

/** Changed lines of each touched area; the most first. Documents, and tests that `npm test` runs, touch none. */
export function touchedAreas(lines: ChangedLines, suites: readonly Suite[]): ReadonlyMap<Area, number> {
  const folders = [...Object.entries(areasOfFolders), ...foldersOfSuites(suites)];
  const sums = new Map<Area, number>();
  for (const [file, count] of lines) {
    if (/\.(?:md|test\.ts)$/.test(file)) continue;
    for (const area of areasOf(file, folders)) sums.set(area, (sums.get(area) ?? 0) + count);
  }
  return new Map([...sums].sort(([a, more], [b, less]) => less - more || areas.indexOf(a) - areas.indexOf(b)));
}

function areasOf(file: string, folders: readonly (readonly [string, readonly Area[]])[]): ReadonlySet<Area> {
  const matching = folders.filter(([folder]) => file === folder || file.startsWith(`${folder}/`));
  const longest = Math.max(...matching.map(([folder]) => folder.length));
  return new Set(matching.filter(([folder]) => folder.length === longest).flatMap(([, named]) => named));
}

/** The folder of a suite's script, with its areas. */
function foldersOfSuites(suites: readonly Suite[]): [string, readonly Area[]][] {
  return suites.flatMap(({ whole, areas: named }) =>
    scriptsOf(whole.command)
      .filter((file) => file.startsWith('test/'))
      .map((file): [string, readonly Area[]] => [file.slice(0, file.lastIndexOf('/')), named]),
  );
}

/** Files of this project that a command names. */
export function scriptsOf(command: string): string[] {
  return [...command.matchAll(/(?:^|[ (])((?:test|shared|servers|gateway)\/[\w./-]+\.(?:ts|sh))/g)].map(
    ([, file = '']) => file,
  );
}
