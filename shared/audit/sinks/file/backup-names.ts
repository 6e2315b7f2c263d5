import { basename, dirname, join } from 'node:path';

/** A full file: `audit-2026-11-28T20-04-05.000.log` beside `audit.log`, in UTC, as lumberjack names it. */
export interface Backup {
  readonly path: string;
  readonly atMs: number;
  readonly isCompressed: boolean;
}

const compressed = '.gz';

/** The name of the file that is full at a time. */
export function backupPath(path: string, atMs: number): string {
  const [start, end] = nameParts(path);
  const time = new Date(atMs).toISOString().slice(0, -1).replaceAll(':', '-');
  return join(dirname(path), `${start}${time}${end}`);
}

export function compressedPath(path: string): string {
  return path + compressed;
}

/** The full files among the names of a folder, the newest first. */
export function backupsAmong(path: string, names: readonly string[]): Backup[] {
  return names.flatMap((name) => backupOf(path, name) ?? []).toSorted((one, other) => other.atMs - one.atMs);
}

function backupOf(path: string, name: string): Backup | undefined {
  const [start, end] = nameParts(path);
  const isCompressed = name.endsWith(end + compressed);
  const rest = isCompressed ? name.slice(0, -compressed.length) : name;
  if (!rest.startsWith(start) || !rest.endsWith(end) || rest.length < start.length + end.length) return undefined;
  const time = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(
    rest.slice(start.length, rest.length - end.length),
  );
  if (time === null) return undefined;
  const atMs = Date.parse(`${time[1]}${time[2]}:${time[3]}:${time[4]}Z`);
  return Number.isNaN(atMs) ? undefined : { path: join(dirname(path), name), atMs, isCompressed };
}

/** What comes before and behind the time: `audit-` and `.log`. */
function nameParts(path: string): [string, string] {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? [`${name}-`, ''] : [`${name.slice(0, dot)}-`, name.slice(dot)];
}

export interface BackupLimits {
  /** How many full files are kept; 0 for no limit. */
  readonly maxBackups: number;
  /** Days for which they are kept; 0 for no limit. */
  readonly maxAgeDays: number;
}

const dayMs = 86_400_000;

/** The files that are too many or too old. A file and its compressed form count once. */
export function superfluous(backups: readonly Backup[], limits: BackupLimits, nowMs: number): Backup[] {
  const { maxBackups, maxAgeDays } = limits;
  const kept = new Set<number>();
  return backups.filter(({ atMs }) => {
    kept.add(atMs);
    const isOld = maxAgeDays > 0 && atMs < nowMs - maxAgeDays * dayMs;
    return isOld || (maxBackups > 0 && kept.size > maxBackups);
  });
}
