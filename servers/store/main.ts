import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestSocketPath } from '#shared/files/temporary-folders.ts';
import { watchDescriptors } from '#shared/observability/descriptor-limit.ts';
import { awaitEndNotice } from '#shared/observability/end-notice.ts';
import {
  endOnUncaught,
  exitWithError,
  formatFromFlags,
  printProcessLine,
  setProcessLines,
} from '#shared/observability/process-lines.ts';
import { announceReady } from '#shared/process/announce-ready.ts';
import { openProfileSocket } from '#shared/process/debug/profile-socket.ts';
import { letYoungGenerationGrowSoon } from '#shared/process/young-generation.ts';
import { commandUsage, runCommand } from './commands/run-command.ts';
import { StoreLockedError } from './mvcc/log-file.ts';
import { startFailure } from './start-failure.ts';
import { parseStoreFlags, storeUsage } from './start/options.ts';
import type { StoreOptions } from './start/options.ts';
import { startStore } from './start/start-store.ts';
import type { RunningStore } from './start/start-store.ts';

export { startStore } from './start/start-store.ts';
export type { RunningStore } from './start/start-store.ts';
export type { StoreOptions } from './start/options.ts';

/** Default socket, by which the commands of the store reach it; undefined if its path is too long. */
function socketOf(dataDir: string): string | undefined {
  const path = resolve(dataDir, 'store.sock');
  return Buffer.byteLength(path) > longestSocketPath ? undefined : path;
}

/** How long a start waits for an earlier store of the directory to end. */
const lockedForMs = 3_500;
const lockPauseMs = 50;

/** How long the store waits for servers to disconnect after the launcher is gone; a server may hang. */
const orphanedForMs = 10 * 60_000;

/** Starts the store; waits for one that is ending. */
async function startUnlocked(options: StoreOptions): Promise<RunningStore> {
  const deadline = performance.now() + lockedForMs;
  for (;;) {
    try {
      return await startStore(options);
    } catch (error) {
      if (!(error instanceof StoreLockedError) || performance.now() > deadline) throw error;
    }
    await sleep(lockPauseMs);
  }
}

/**
 * The `store` sub-command. On SIGTERM, SIGINT or SIGHUP it finishes current writes and exits. As a child with an IPC
 * channel it sends `{type: 'ready', clientUrls, socketPath}` when it serves. If the parent is gone, it exits after the
 * servers, which exit then as well, have disconnected.
 */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) return void process.stdout.write(storeUsage + commandUsage);
  setProcessLines('store', formatFromFlags(argv));
  endOnUncaught();
  const started = performance.now();
  let options: StoreOptions | undefined;
  let running;
  try {
    const exitCode = await runCommand(argv);
    if (exitCode !== undefined) {
      process.exitCode = exitCode;
      return;
    }
    options = parseStoreFlags(argv);
    running = await startUnlocked({
      ...options,
      listenUnixSocket: options.listenUnixSocket ?? socketOf(options.dataDir),
    });
  } catch (error) {
    const { reason, exitCode } = startFailure(error, options?.dataDir ?? '');
    return exitWithError(reason, exitCode);
  }
  letYoungGenerationGrowSoon();
  const { clientUrls } = running;
  const socketPath = options.listenUnixSocket;
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        printProcessLine((error as Error).message);
        process.exit(1);
      },
    );
  };
  watchDescriptors(printProcessLine);
  const isSystemEnding = process.send === undefined ? undefined : awaitEndNotice();
  const onSignal = async (): Promise<void> => {
    // Where all processes were signalled at once, the store serves the others to their end.
    if ((await isSystemEnding?.()) === true) await running.unused();
    end();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void onSignal());
  if (process.send === undefined) {
    announceReady(
      `store ready after ${Math.round(performance.now() - started)} ms: ${[...clientUrls, ...(socketPath === undefined ? [] : [socketPath])].join(' ')}`,
    );
    return;
  }
  if (socketPath !== undefined) openProfileSocket(socketPath);
  process.on('disconnect', () => {
    setTimeout(end, orphanedForMs);
    void running.unused().then(end);
  });
  // A launcher that is gone takes no message; `disconnect` follows.
  process.send({ type: 'ready', name: 'store', clientUrls, socketPath }, () => undefined);
}
