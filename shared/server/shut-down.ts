import { setTimeout as sleep } from 'node:timers/promises';
import type { InFlightRequests } from '#shared/filters/in-flight.ts';
import type { Listener } from './exchange/listener.ts';
import { endExchange } from './http/end-exchange.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ServerOptions } from './options/server-options.ts';
import { runPreShutdownHooks, type PreShutdownHooks } from './pre-shutdown-hooks.ts';

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
 */
export async function shutDown(server: ServerAtWork): Promise<void> {
  const { options, lifecycle, inFlight, listeners } = server;
  const stayOpen = options.shutdownSendRetryAfter ? listeners.filter(({ trust }) => trust === 'public') : [];
  const stopAccepting = (some: readonly Listener[]): Promise<unknown> =>
    Promise.all(some.map((listener) => listener.stopAccepting()));
  lifecycle.signal('ShutdownInitiated');
  await Promise.all([delay(server), runHooks(server)]);
  lifecycle.signal('NotAcceptingNewRequest');
  await stopAccepting(listeners.filter((listener) => !stayOpen.includes(listener)));
  await atMost(inFlight.drained(), options.requestTimeout);
  lifecycle.signal('InFlightRequestsDrained');
  if (options.shutdownWatchTerminationGracePeriod > 0)
    await until(() => inFlight.longCount === 0, options.shutdownWatchTerminationGracePeriod);
  await stopAccepting(stayOpen);
  lifecycle.signal('HTTPServerStoppedListening');
  for (const context of inFlight.longRunning) endExchange(context.exchange);
  await until(() => inFlight.longCount === 0 && !listeners.some(({ isSending }) => isSending), watchFlushMs);
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
