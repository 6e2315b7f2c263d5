import { join } from 'node:path';
import { endOnUncaught, formatFromFlags, sayOfProcess, sayReady, setProcessLines } from '../../shared/observability/process-lines.ts';
import { commandUsage, runCommand } from './commands/run-command.ts';
import { LogDamagedError } from './mvcc/log-damage.ts';
import { parseStoreFlags, StoreFlagError, storeUsage } from './options.ts';
import type { StoreOptions } from './options.ts';
import { damageRemedy, startStore } from './start-store.ts';

export { startStore } from './start-store.ts';
export type { RunningStore } from './start-store.ts';
export type { StoreOptions } from './options.ts';

/** A server that hangs is not waited for without end when the launcher is gone. */
const orphanedForMs = 10 * 60_000;

/** EX_DATAERR of sysexits.h: who starts it again meets the same file. */
const damagedExitCode = 65;

/**
 * The `store` sub-command. Ends with SIGTERM, SIGINT or SIGHUP after finishing what is being written. As a child with an IPC channel it
 * sends `{ready: true, clientUrls, socketPath}` when it serves, and ends when the parent is gone
 * and the servers, which end then too, have let go of it.
 */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) return void process.stdout.write(storeUsage + commandUsage);
  setProcessLines('store', formatFromFlags(argv));
  endOnUncaught();
  const started = performance.now();
  let options: StoreOptions | undefined;
  let running;
  try {
    const exitCode = runCommand(argv);
    if (exitCode !== undefined) {
      process.exitCode = exitCode;
      return;
    }
    options = parseStoreFlags(argv);
    running = await startStore(options);
  } catch (error) {
    const damaged = error instanceof LogDamagedError;
    const where = damaged ? `${join(options?.dataDir ?? '', 'store.db')} is damaged: ` : '';
    const usage = error instanceof StoreFlagError ? `\n${storeUsage}${commandUsage}`.trimEnd() : '';
    sayOfProcess(`${where}${(error as Error).message}${damaged ? `. ${damageRemedy}` : ''}${usage}`);
    process.exitCode = damaged ? damagedExitCode : 1;
    return;
  }
  const { clientUrls, socketPath } = running;
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        sayOfProcess((error as Error).message);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', end);
  if (process.send === undefined) {
    sayReady(`store ready after ${Math.round(performance.now() - started)} ms: ${[...clientUrls, ...(socketPath === undefined ? [] : [socketPath])].join(' ')}`);
    return;
  }
  process.on('disconnect', () => {
    setTimeout(end, orphanedForMs);
    void running.unused().then(end);
  });
  process.send({ ready: true, clientUrls, socketPath });
}
