import { printProcessLine } from '#shared/observability/process-lines.ts';

/** Signals within this time count as one: npm passes on what its whole process group got. */
const sameEndMs = 1_000;

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

export interface EndOptions {
  /** Whether the process has no launcher. */
  readonly isAlone: boolean;
  /** For a backend that a launcher started: how long its gateways may take to end. */
  readonly gatewaysEndWithinMs: number;
  /** Resolves with whether the launcher ends all processes. */
  readonly isSystemEnding: () => Promise<boolean>;
}

/** Ends the process gracefully at a signal, and when its launcher is gone. */
export function endGracefully(body: ProcessBody, { isAlone, gatewaysEndWithinMs, isSystemEnding }: EndOptions): void {
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    body.shutdown().then(
      () => process.exit(0),
      (error: unknown) => {
        printProcessLine(String(error));
        process.exit(1);
      },
    );
  };
  const endUnused = async (): Promise<void> => {
    const patience = setTimeout(end, gatewaysEndWithinMs);
    await body.unused?.();
    clearTimeout(patience);
    end();
  };
  let signalledAtMs: number | undefined;
  const onSignal = async (): Promise<void> => {
    if (signalledAtMs !== undefined) {
      // The launcher kills a child itself.
      if (isAlone && performance.now() - signalledAtMs > sameEndMs) process.exit(1);
      return;
    }
    signalledAtMs = performance.now();
    // Where all processes were signalled at once, a backend still serves its gateways to their end.
    if (!isAlone && body.unused !== undefined && (await isSystemEnding())) await endUnused();
    else end();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void onSignal());
  process.on('disconnect', () => void endUnused());
}
