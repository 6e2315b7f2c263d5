import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { newBadRequest } from '../apimachinery/status.ts';
import type { Exchange } from './exchange.ts';
import { readOnAfterFailedWrites } from './failed-writes.ts';
import { gatherWrites } from './gather-writes.ts';

/** Who was asked speaks another protocol on this connection from now on. */
export interface UpgradedConnection {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  /** What came behind the answer. */
  readonly head: Buffer;
}

/** What a connection has to take what is left for it and to end itself, after the other one is gone. */
const lingerMs = 30_000;

/**
 * Gives a client the answer to its upgrade, and joins the two connections. Throws a 400 where that of the client cannot
 * be taken over: the other one has ended then.
 */
export function joinUpgraded(exchange: Exchange, { response, socket, head }: UpgradedConnection): void {
  const taken = exchange.upgrade();
  if (taken === undefined) {
    socket.destroy();
    throw newBadRequest('Upgrade request required');
  }
  taken.socket.write(answerHead(response));
  if (head.length > 0) taken.socket.write(head);
  if (taken.head.length > 0) socket.write(taken.head);
  joinConnections(taken.socket, socket);
}

function answerHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  let text = `HTTP/1.1 ${statusCode ?? 101} ${statusMessage ?? 'Switching Protocols'}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  return `${text}\r\n`;
}

/**
 * Makes one of two connections: what comes from either goes to the other, as fast as that one takes it. When one is
 * gone the other gets what is still on its way, and goes too: half-open streams would never end.
 */
function joinConnections(one: Duplex, other: Duplex): void {
  for (const connection of [one, other]) readOnAfterFailedWrites(connection);
  passOn(one, other);
  passOn(other, one);
  followEnd(one, other);
  followEnd(other, one);
}

function passOn(from: Duplex, to: Duplex): void {
  from.on('data', () => gatherWrites(to));
  from.pipe(to);
}

function followEnd(gone: Duplex, left: Duplex): void {
  gone.on('error', () => gone.destroy());
  gone.on('close', () => endConnection(left));
}

/** A peer may give the reason to end its connection as often as it likes. */
const ending = new WeakSet<Duplex>();

/**
 * Ends a connection when it has taken what waits for it and its peer has ended too, and in any case after a while. Were
 * it closed before, what the peer still sends would be answered with a reset.
 */
export function endConnection(connection: Duplex): void {
  if (connection.destroyed || ending.has(connection)) return;
  ending.add(connection);
  const timer = setTimeout(() => connection.destroy(), lingerMs).unref();
  connection.once('close', () => clearTimeout(timer));
  connection.once('end', () => {
    if (connection.writableFinished) connection.destroy();
  });
  connection.end(() => {
    if (connection.readableEnded) connection.destroy();
  });
  connection.resume();
}
