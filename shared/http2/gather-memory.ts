import { Buffer } from 'node:buffer';

/** As much as the writer lets wait in a socket: what a turn writes is one buffer, which TLS encrypts at once. */
export const gatherBytes = 256 * 1024;
/** Blocks that wait in sockets at once, in the whole process: a client that does not read keeps its block. */
const maxSent = 16;
const maxFree = 16;

const free: Buffer[] = [];
let sent = 0;

/** Memory in which a connection gathers what it writes. It belongs to the connection until it is returned or sent. */
export function takeBlock(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(gatherBytes);
}

/** Returns a block that nothing uses any more. */
export function returnBlock(block: Buffer): void {
  if (free.length < maxFree) free.push(block);
}

/**
 * Whether a block may be handed to a socket. Then {@link blockWritten} is to be called with the outcome of the write;
 * otherwise the bytes are to be copied.
 */
export function maySendBlock(): boolean {
  if (sent >= maxSent) return false;
  sent++;
  return true;
}

/** A block's bytes were written. After an error they may still be read: the block is left to the garbage collector. */
export function blockWritten(block: Buffer, error?: Error | null): void {
  sent--;
  if (!error) returnBlock(block);
}
