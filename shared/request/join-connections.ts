import type { Duplex } from 'node:stream';
import { readOnAfterFailedWrites } from './failed-writes.ts';

/** What a connection has to take what is left for it and to end itself, after the other one is gone. */
const lingerMs = 30_000;

/**
 * Makes one of two connections: what comes from either goes to the other, as fast as that one takes it. When one is gone the
 * other gets what is still on its way, and goes too: half-open streams would never end.
 */
export function joinConnections(one: Duplex, other: Duplex): void {
  for (const connection of [one, other]) readOnAfterFailedWrites(connection);
  one.pipe(other);
  other.pipe(one);
  followEnd(one, other);
  followEnd(other, one);
}

function followEnd(gone: Duplex, left: Duplex): void {
  gone.on('error', () => gone.destroy());
  gone.on('close', () => endConnection(left));
}

/**
 * Ends a connection when it has taken what waits for it and its peer has ended too, and in any case after a while. Were it closed
 * before, what the peer still sends would be answered with a reset.
 */
export function endConnection(connection: Duplex): void {
  if (connection.destroyed) return;
  const timer = setTimeout(() => connection.destroy(), lingerMs).unref();
  connection.once('close', () => clearTimeout(timer));
  connection.once('end', () => { if (connection.writableFinished) connection.destroy(); });
  connection.end(() => { if (connection.readableEnded) connection.destroy(); });
  connection.resume();
}
