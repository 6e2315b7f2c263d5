import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

// Kubelets and clients that break the protocols between them: each is an error at its own client, costs no memory to
// speak of, leaves no connection behind, and is nothing that others notice.

export const pods = '/api/v1/namespaces/default/pods';
export const exec = `${pods}/one/exec?command=x&stdin=1&stdout=1`;
export const spdy = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
const webSocket = {
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
export const v5 = { ...webSocket, 'sec-websocket-protocol': 'v5.channel.k8s.io' };
export const tunnel = { ...webSocket, 'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io' };

/** Connections that the kubelet took over from HTTP. */
export const openStreams = new Set<Duplex>();

export function taken(socket: Duplex): Duplex {
  openStreams.add(socket);
  // Who does not read does not see the end, and each direction ends alone.
  socket
    .on('close', () => openStreams.delete(socket))
    .on('end', () => socket.end())
    .resume();
  return socket;
}

export async function until(holds: () => boolean, otherwise: string, withinMs = 20_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(otherwise);
    await pause(10);
  }
}

export function masked(first: number, payload: Buffer): Buffer {
  const long = payload.length > 65_535;
  const head = Buffer.alloc(long ? 14 : 8);
  head.writeUInt16BE((first << 8) | 0x80 | (long ? 127 : 126), 0);
  if (long) head.writeBigUInt64BE(BigInt(payload.length), 2);
  else head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
