import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { countShortLived } from '#shared/apimachinery/bytes/short-lived-bytes.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { auditHeader } from './audit-header.ts';
import type { DirectReads } from './direct-reads.ts';
import type { Exchange } from './exchange.ts';
import { readOnAfterFailedWrites } from './failed-writes.ts';
import { gatherWrites } from './gather-writes.ts';

/** A connection to a server that has switched to another protocol. */
export interface UpgradedConnection {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that were received after the answer. */
  readonly head: Buffer;
  readonly reads: DirectReads;
}

/** How long a connection may take to read its remaining bytes and to close, after the other one has closed. */
const lingerMs = 30_000;

/**
 * Sends the client the answer to its upgrade request, and joins the two connections. If the connection of the client
 * cannot be taken over, destroys the other one and throws a 400.
 */
export function joinUpgraded(exchange: Exchange, { response, socket, head, reads }: UpgradedConnection): void {
  const taken = exchange.upgrade();
  if (taken === undefined) {
    socket.destroy();
    throw newBadRequest('Upgrade request required');
  }
  taken.socket.write(answerHead(response, taken.hopLines));
  if (head.length > 0) taken.socket.write(head);
  if (taken.head.length > 0) socket.write(taken.head);
  joinConnections(taken.socket, socket, reads);
}

/** The head as it was received, but that kubelets, pods and other servers say nothing for audit events. */
function answerHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage, hopLines: string): string {
  let text = `HTTP/1.1 ${statusCode ?? 101} ${statusMessage ?? 'Switching Protocols'}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.toLowerCase() !== auditHeader) text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  return `${text}${hopLines}\r\n`;
}

/**
 * Passes on the bytes of each connection to the other, with back-pressure; `reads` are those of the `other`. When one
 * has closed, the other gets the remaining bytes and is closed, too: half-open streams would never end.
 */
function joinConnections(one: Duplex, other: Duplex, reads: DirectReads): void {
  for (const connection of [one, other]) readOnAfterFailedWrites(connection);
  passOn(one, other);
  if (reads.isUsed) {
    one.on('data', () => reads.expectAnswer());
    reads.passOn(one);
  } else passOn(other, one);
  followEnd(one, other);
  followEnd(other, one);
}

function passOn(from: Duplex, to: Duplex): void {
  from.on('data', (chunk: Buffer) => {
    countShortLived(chunk.length);
    gatherWrites(to);
  });
  from.pipe(to);
}

function followEnd(gone: Duplex, left: Duplex): void {
  gone.on('error', () => gone.destroy());
  gone.on('close', () => endConnection(left));
}

/** Connections that are being ended, since {@link endConnection} may be called more than once for one. */
const ending = new WeakSet<Duplex>();

/**
 * Ends a connection: destroys it when its pending writes are flushed and its peer has ended, too, or after {@link
 * lingerMs}. If it were destroyed earlier, bytes that the peer still sends would be answered with a reset.
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
