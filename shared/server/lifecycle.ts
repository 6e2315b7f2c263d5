import type { Logger } from '#shared/observability/logger.ts';

/** The events of a server's lifecycle in their usual order, by the reference's names (`lifecycle_signals.go`). */
const lifecycleEvents = [
  'Started',
  'ShutdownInitiated',
  'AfterShutdownDelayDuration',
  'PreShutdownHooksStopped',
  'NotAcceptingNewRequest',
  'InFlightRequestsDrained',
  'HTTPServerStoppedListening',
  'ConnectionsClosed',
] as const;

export type LifecycleEvent = (typeof lifecycleEvents)[number];

/** Named events that each happen once; each is logged with the time since the previous one. */
export class Lifecycle {
  readonly #happenedAtMs = new Map<LifecycleEvent, number>();
  readonly #logger: Logger;
  readonly #name: string;
  #lastMs = performance.now();

  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  signal(event: LifecycleEvent): void {
    if (this.#happenedAtMs.has(event)) return;
    const now = performance.now();
    this.#happenedAtMs.set(event, now);
    this.#logger.info(1, '[graceful-termination] shutdown event', {
      server: this.#name,
      name: event,
      elapsedMs: Math.round(now - this.#lastMs),
    });
    this.#lastMs = now;
  }

  has(event: LifecycleEvent): boolean {
    return this.#happenedAtMs.has(event);
  }
}
