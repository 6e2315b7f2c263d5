import { UnusableFileError, unusableFileExitCode } from '#shared/files/unusable-file.ts';
import { watchDescriptors } from '#shared/observability/descriptor-limit.ts';
import {
  exitWithError,
  formatFromFlags,
  printProcessLine,
  printReadyLine,
  printFlagErrors,
  setProcessLines,
} from '#shared/observability/process-lines.ts';
import { guardJsonParse } from '#shared/serializer/json/safe-parse.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { surviveRequestFaults } from '#shared/server/uncaught-faults.ts';
import { childMarker } from './child-marker.ts';
import { processSockets, withDataDirectoryDefaults } from './data-directory.ts';
import type { ProcessOptions } from './data-directory.ts';
import { returnMemory } from './memory-return.ts';
import { socketFolder } from './socket-folder.ts';

/** A server process that was started. */
export interface ProcessBody {
  /**
   * Ends gracefully: requests in flight are finished. Connections to the servers that this one needs stay open until
   * the process ends: those servers wait for their end before they end, too.
   */
  shutdown(): Promise<void>;
  /**
   * Closes these connections after {@link shutdown} if the process continues, as it does when it hosts several servers.
   */
  disconnect(): Promise<void>;
  /** Resolves when no gateway is connected. */
  unused?(): Promise<void>;
  /** Further details in the ready message (port, addresses). */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Message from the launcher to a child. */
export interface OptionsMessage {
  readonly type: 'options';
  readonly options: ProcessOptions;
}

/** Message from a child to the launcher. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly name: string;
  readonly [detail: string]: unknown;
}

/** Message from a gateway to the launcher when it accepts no more connections, so that the launcher closes the port. */
export interface NotAcceptingMessage {
  readonly type: 'not-accepting';
}

export function reportNotAccepting(): void {
  if (process.connected) process.send?.({ type: 'not-accepting' } satisfies NotAcceptingMessage);
}

/**
 * Runs one server process, the same way as a child of the launcher and as a sub-command of its own: options, ready
 * message, and a graceful end at SIGTERM, SIGINT, SIGHUP or when the launcher is gone; a second signal ends at once.
 * Without a launcher, each process keeps the order of shutdown itself: a backend ends after its gateways.
 */
export async function runProcess(
  name: string,
  argv: readonly string[],
  start: (options: ProcessOptions) => Promise<ProcessBody>,
): Promise<void> {
  guardJsonParse();
  setProcessLines(name, formatFromFlags(argv));
  surviveRequestFaults();
  // During the start there is nothing to end gracefully, and the storage that the start waits for may have ended with
  // the launcher.
  const gone = (): void => process.exit(0);
  process.on('disconnect', gone);
  const options = await (process.env[childMarker] === undefined ? optionsFromFlags(argv) : optionsFromLauncher());
  if (options === undefined) return;
  let body: ProcessBody;
  try {
    body = await start(options);
  } catch (error) {
    const reason =
      error instanceof Error ? ((options.server.v > 0 ? error.stack : undefined) ?? error.message) : String(error);
    return exitWithError(reason, error instanceof UnusableFileError ? unusableFileExitCode : 1);
  }
  returnMemory();
  watchDescriptors(printProcessLine);
  let signals = 0;
  const end = (): void => {
    if (++signals > 1) process.exit(1);
    body.shutdown().then(
      () => process.exit(0),
      (error: unknown) => {
        printProcessLine(String(error));
        process.exit(1);
      },
    );
  };
  const orphaned = async (): Promise<void> => {
    const patience = setTimeout(end, options.gatewaysEndWithinMs ?? 0);
    await body.unused?.();
    clearTimeout(patience);
    if (signals === 0) end();
  };
  process
    .off('disconnect', gone)
    .on('SIGTERM', end)
    .on('SIGINT', end)
    .on('SIGHUP', end)
    .on('disconnect', () => void orphaned());
  // A launcher that is gone takes no message; `disconnect` follows.
  if (process.send) process.send({ type: 'ready', name, ...body.details } satisfies ReadyMessage, () => undefined);
  else printReadyLine(`${name} ready after ${Math.round(performance.now())} ms ${JSON.stringify(body.details ?? {})}`);
}

function optionsFromLauncher(): Promise<ProcessOptions> {
  return new Promise((deliver) => void process.once('message', ({ options }: OptionsMessage) => deliver(options)));
}

async function optionsFromFlags(argv: readonly string[]): Promise<ProcessOptions | undefined> {
  const parsed = parseServerOptions(argv);
  if (parsed.answer !== undefined) {
    process.stdout.write(parsed.answer);
    return undefined;
  }
  if (parsed.errors.length > 0) {
    printFlagErrors(parsed.errors);
    process.exitCode = 1;
    return undefined;
  }
  const server = withDataDirectoryDefaults(parsed.options, parsed.given);
  return { server, sockets: processSockets(await socketFolder(server.dataDir), server.etcdServers.length === 0) };
}
