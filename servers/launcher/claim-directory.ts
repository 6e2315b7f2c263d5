import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileLock, lockHolder } from '#shared/files/file-lock.ts';
import { UnusableFileError } from '#shared/files/unusable-file.ts';

/** For what ends: a server that was told to end, or the children of a launcher that was killed. */
const usualPatienceMs = 3_500;
const pauseMs = 50;

/**
 * Makes this process the only one that starts servers on a data directory, before it touches anything in there. A
 * launcher that was killed has lost its lock, but its children may still be ending: they hold the sockets, which lie in
 * the folder `sockets`.
 * @throws UnusableFileError (as a rejection) when another server still uses the directory after some seconds
 */
export async function claimDirectory(
  dataDir: string,
  patienceMs = usualPatienceMs,
  sockets = join(dataDir, 'run'),
): Promise<FileLock> {
  const deadline = performance.now() + patienceMs;
  const lock = await takeLock(dataDir, 'exclusive', join(dataDir, 'quarterdeck.lock'), patienceMs);
  return onceUnused(lock, dataDir, () => socketsIn(sockets), deadline);
}

/**
 * Lets this process be one of several on a data directory, without a launcher.
 * @throws UnusableFileError (as a rejection) when a launcher uses the directory
 */
export function joinDirectory(dataDir: string, patienceMs = usualPatienceMs): Promise<FileLock> {
  return takeLock(dataDir, 'shared', join(dataDir, 'quarterdeck.lock'), patienceMs);
}

/**
 * Makes this process the only one that listens on a socket of the data directory.
 * @throws UnusableFileError (as a rejection) when another process does
 */
export async function claimSocket(
  dataDir: string,
  socketPath: string,
  patienceMs = usualPatienceMs,
): Promise<FileLock> {
  const deadline = performance.now() + patienceMs;
  const lock = await takeLock(dataDir, 'exclusive', `${socketPath}.lock`, patienceMs);
  return onceUnused(lock, dataDir, () => [socketPath], deadline);
}

async function takeLock(
  dataDir: string,
  kind: 'exclusive' | 'shared',
  path: string,
  patienceMs: number,
): Promise<FileLock> {
  const lock = await FileLock.take(path, patienceMs, kind);
  if (lock === undefined) throw inUse(dataDir, lockHolder(path));
  return lock;
}

function inUse(dataDir: string, pid: number | undefined): UnusableFileError {
  return new UnusableFileError(
    dataDir,
    `is used by another server (${pid === undefined ? 'of another machine or container' : `process ${pid}`})`,
    pid === undefined ? 'end it, or name another --data-dir' : `end it (kill ${pid}), or name another --data-dir`,
  );
}

/** Returns the lock when nobody listens on the sockets any more, and releases it when somebody still does. */
async function onceUnused(
  lock: FileLock,
  dataDir: string,
  sockets: () => readonly string[],
  deadline: number,
): Promise<FileLock> {
  try {
    await untilUnused(dataDir, sockets, deadline);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function untilUnused(dataDir: string, sockets: () => readonly string[], deadline: number): Promise<void> {
  for (;;) {
    const answers = await Promise.all(sockets().map(async (path) => ((await isServed(path)) ? path : undefined)));
    const served = answers.find((path) => path !== undefined);
    if (served === undefined) return;
    if (performance.now() > deadline) throw inUse(dataDir, socketHolder(served));
    await sleep(pauseMs);
  }
}

function socketsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.sock'))
      .map((name) => join(folder, name));
  } catch {
    // It is made later.
    return [];
  }
}

/** Whether a process listens on a Unix socket. What a killed process leaves is a file that refuses connections. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

/** The process that listens on a Unix socket; undefined without /proc, and for a process of another container. */
function socketHolder(path: string): number | undefined {
  try {
    const row = readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .find((line) => line.endsWith(` ${path}`));
    const target = `socket:[${row?.trim().split(/ +/)[6] ?? ''}]`;
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const pid = pids.find((each) => linksOf(`/proc/${each}/fd`).includes(target));
    return pid === undefined ? undefined : Number(pid);
  } catch {
    return undefined;
  }
}

function linksOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
}
