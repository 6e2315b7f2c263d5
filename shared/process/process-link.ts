import { UnusableFileError, unusableFileExitCode } from '#shared/files/unusable-file.ts';
import { watchDescriptors } from '#shared/observability/descriptor-limit.ts';
import { awaitEndNotice, type EndingMessage } from '#shared/observability/end-notice.ts';
import {
  exitWithError,
  formatFromFlags,
  printProcessLine,
  printFlagErrors,
  setProcessLines,
} from '#shared/observability/process-lines.ts';
import { guardJsonParse } from '#shared/serializer/json/safe-parse.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { surviveRequestFaults } from '#shared/server/uncaught-faults.ts';
import { announceReady } from './announce-ready.ts';
import { childMarker } from './child-marker.ts';
import { processSockets, withDataDirectoryDefaults } from './data-directory.ts';
import type { ProcessOptions } from './data-directory.ts';
import { openProfileSocket } from './debug/profile-socket.ts';
import { endGracefully, type ProcessBody } from './end-gracefully.ts';
import { returnMemory } from './memory-return.ts';
import { socketFolder } from './socket-folder.ts';
import { tellMissingEtcd } from './tell-missing-etcd.ts';
import { letYoungGenerationGrowSoon } from './young-generation.ts';

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
 * message, and a graceful end at SIGTERM, SIGINT, SIGHUP or when the launcher is gone. A process without a launcher
 * ends at once at a second signal.
 * Without a launcher, each process keeps the order of shutdown itself: a backend ends after its gateways.
 */
export async function runProcess(
  name: 'core' | 'extensions' | 'gateway' | 'controllers',
  argv: readonly string[],
  start: (options: ProcessOptions, isSystemEnding: () => Promise<boolean>) => Promise<ProcessBody>,
): Promise<void> {
  guardJsonParse();
  setProcessLines(name, formatFromFlags(argv));
  surviveRequestFaults();
  // During the start there is nothing to end gracefully, and the storage that the start waits for may have ended with
  // the launcher.
  const gone = (): void => process.exit(0);
  process.on('disconnect', gone);
  const isAlone = process.env[childMarker] === undefined;
  const isSystemEnding = awaitEndNotice();
  const options = await (isAlone ? optionsFromFlags(argv) : optionsFromLauncher());
  if (options === undefined) return;
  let body: ProcessBody;
  const stopTelling = isAlone ? tellMissingEtcd(options.server) : undefined;
  try {
    body = await start(options, isSystemEnding);
    stopTelling?.();
  } catch (error) {
    const reason =
      error instanceof Error ? ((options.server.v > 0 ? error.stack : undefined) ?? error.message) : String(error);
    return exitWithError(reason, error instanceof UnusableFileError ? unusableFileExitCode : 1);
  }
  letYoungGenerationGrowSoon();
  returnMemory();
  watchDescriptors(printProcessLine);
  const { profiling, contentionProfiling } = options.server;
  if (profiling) openProfileSocket(options.sockets[name], contentionProfiling);
  process.off('disconnect', gone);
  endGracefully(body, { isAlone, gatewaysEndWithinMs: options.gatewaysEndWithinMs ?? 0, isSystemEnding });
  // A launcher that is gone takes no message; `disconnect` follows.
  if (process.send) process.send({ type: 'ready', name, ...body.details } satisfies ReadyMessage, () => undefined);
  else announceReady(`${name} ready after ${Math.round(performance.now())} ms ${JSON.stringify(body.details ?? {})}`);
}

function optionsFromLauncher(): Promise<ProcessOptions> {
  return new Promise((deliver) => {
    const onMessage = (message: EndingMessage | OptionsMessage): void => {
      if (message.type !== 'options') return;
      process.off('message', onMessage);
      deliver(message.options);
    };
    process.on('message', onMessage);
  });
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
