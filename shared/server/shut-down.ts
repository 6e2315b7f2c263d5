import { setTimeout as sleep } from 'node:timers/promises';
import type { InFlightRequests } from '#shared/filters/in-flight.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { endWatches } from './end-watches.ts';
import type { Listener } from './exchange/listener.ts';
import { endExchange } from './http/end-exchange.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ServerOptions } from './options/server-options.ts';
import { runPreShutdownHooks, type PreShutdownHooks } from './pre-shutdown-hooks.ts';

/** With `--shutdown-send-retry-after`: how long connections may take to end after the last request with a deadline. */
const lastConnectionsMs = 2_000;
/** Time to send the last bytes of ended watches. Only clients that do not read use all of it. */
const watchFlushMs = 2_000;
const askEveryMs = 10;

export interface ServerAtWork {
  readonly options: ServerOptions;
  readonly lifecycle: Lifecycle;
  readonly inFlight: InFlightRequests;
  readonly listeners: readonly Listener[];
  readonly preShutdownHooks?: PreShutdownHooks;
  readonly onHookFailure?: (hook: string, error: unknown) => void;
}

/**
 * Shuts down in the reference's order (apiserver/pkg/server/genericapiserver.go): readiness fails, delay and hooks side
 * by side, no new connections, drain, close. With `--shutdown-send-retry-after` clients may still connect while
 * requests are draining, and are answered with Retry-After.
 *
 * Watches of clients end first where they have a grace period. Otherwise they, and other requests without a deadline,
 * go on until the time for connections to end is over, as with `Shutdown` of Go's HTTP server. Those of gateways end at
 * once, since gateways were told before. Answers that are no watches, such as logs that are followed, are cut off then:
 * their clients must not take them for whole.
 */
export async function shutDown(server: ServerAtWork): Promise<void> {
  const { options, lifecycle, inFlight, listeners } = server;
  const { requestTimeout, shutdownWatchTerminationGracePeriod: graceMs, shutdownSendRetryAfter } = options;
  const isPublic = ({ trust }: Listener): boolean => trust === 'public';
  lifecycle.signal('ShutdownInitiated');
  await Promise.all([delay(server), runHooks(server)]);
  lifecycle.signal('NotAcceptingNewRequest');
  const watchesEnd = graceMs > 0 ? endWatches(() => publicWatches(inFlight), graceMs) : undefined;
  let stopped = performance.now();
  await stopAccepting(listeners.filter((listener) => !shutdownSendRetryAfter || !isPublic(listener)));
  await Promise.all([atMost(inFlight.drained(), requestTimeout), watchesEnd]);
  lifecycle.signal('InFlightRequestsDrained');
  if (shutdownSendRetryAfter) {
    stopped = performance.now();
    await stopAccepting(listeners.filter(isPublic));
  }
  lifecycle.signal('HTTPServerStoppedListening');
  const untilMs = stopped + (shutdownSendRetryAfter ? lastConnectionsMs : requestTimeout);
  await until(() => !hasPublicRequest(inFlight), untilMs - performance.now());
  for (const { exchange, info } of inFlight.longRunning) if (info.verb === 'watch') endExchange(exchange);
  await until(() => !hasWatch(inFlight) && !listeners.some(({ isSending }) => isSending), watchFlushMs);
  for (const listener of listeners) listener.destroy();
  await Promise.all(listeners.map(async (listener) => listener.ended?.()));
  lifecycle.signal('ConnectionsClosed');
}

async function delay({ options, lifecycle }: ServerAtWork): Promise<void> {
  if (options.shutdownDelayDuration > 0) await sleep(options.shutdownDelayDuration);
  lifecycle.signal('AfterShutdownDelayDuration');
}

async function runHooks({ lifecycle, preShutdownHooks = {}, onHookFailure }: ServerAtWork): Promise<void> {
  await runPreShutdownHooks(preShutdownHooks, (hook, error) => onHookFailure?.(hook, error));
  lifecycle.signal('PreShutdownHooksStopped');
}

async function stopAccepting(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.stopAccepting()));
}

function publicWatches({ longRunning }: InFlightRequests): RequestContext[] {
  return [...longRunning].filter(({ exchange, info }) => exchange.trust === 'public' && info.verb === 'watch');
}

/** Whether a client still waits for an answer. A connection that was upgraded is nobody's request any more. */
function hasPublicRequest({ longRunning }: InFlightRequests): boolean {
  for (const { exchange } of longRunning)
    if (exchange.trust === 'public' && exchange.statusCode !== upgraded) return true;
  return false;
}

function hasWatch({ longRunning }: InFlightRequests): boolean {
  for (const { info } of longRunning) if (info.verb === 'watch') return true;
  return false;
}

/** Switching Protocols: exec and its like, and watches by WebSocket. */
const upgraded = 101;

/**
 * Waits for a condition. It is checked only after a turn of the event loop: an ended answer may still wait in its
 * connection, which sends the frames of one turn together, and TLS takes the next frames a turn later.
 */
async function until(done: () => boolean, atMostMs: number): Promise<void> {
  const end = performance.now() + atMostMs;
  do await sleep(askEveryMs);
  while (!done() && performance.now() < end);
}

async function atMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
