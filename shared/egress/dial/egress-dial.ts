import type { Duplex } from 'node:stream';

/**
 * Opens a connection to an address (`host:port`, a name is resolved where the connection is made). Rejects with an
 * error whose message is that of the reference. `signal` ends the attempt, not a connection that was made.
 */
export type EgressDial = (address: string, signal?: AbortSignal) => Promise<Duplex>;

/** The networks to which the connections of a server lead. */
export type EgressNetwork = 'cluster' | 'controlplane' | 'etcd';

/** At which stage a connection could not be made: to the proxy, or by it. */
export type DialStage = 'connect' | 'proxy';

/** Why a proxy led nowhere. The message is that of the reference, and shown to clients. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly stage: DialStage;

  constructor(stage: DialStage, message: string) {
    super(message);
    this.stage = stage;
  }
}

/** How long making one connection through a proxy may take, as long as Go's dialer gives a direct one. */
export const dialMs = 30_000;

/** Ends when the time for a connection is over, or its caller gives up. */
export function dialSignal(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(dialMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}
