import type { TLSSocket } from 'node:tls';
import { headersFrames, indexedBlocks, headerBlock } from '#test/robustness/attacks/protocol/http2-wire.ts';
import { openHttp2, startAttack } from '#test/robustness/attacks/seats/attacks.ts';
import { headersFrame, http1Head } from '#test/robustness/attacks/seats/request-head.ts';
import { frame, openRaw, writeOn } from '#test/robustness/hostile/raw-connection.ts';

/** Makes the servers hold memory for a user; what it opened is closed by the caller. */
export interface MemoryAttack {
  readonly name: string;
  /** What the servers may hold more meanwhile. */
  readonly mostMiB: number;
  /** @returns the connections that are held */
  hold(url: string, token: string): Promise<readonly TLSSocket[]>;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const streamsEach = 100;
const windowSetting = 65_535;

async function repeat(times: number, one: (at: number) => Promise<TLSSocket>): Promise<readonly TLSSocket[]> {
  const sockets: TLSSocket[] = [];
  for (let at = 0; at < times; at++) sockets.push(await one(at));
  return sockets;
}

/** Any user may ask what he may do; the body never ends. */
function bodiesOfOneByteFrames(url: string, token: string): Promise<readonly TLSSocket[]> {
  const streams = 25;
  return repeat(4, async () => {
    const socket = await openHttp2(url, windowSetting);
    for (let stream = 1; stream < 2 * streams; stream += 2)
      socket.write(headersFrame(stream, { method: 'POST', path: reviews, token }, false));
    for (let sent = 0; sent < 40; sent++) {
      for (let stream = 1; stream < 2 * streams; stream += 2) {
        const one = frame(0, 0, stream, Buffer.from(' '));
        if (!(await writeOn(socket, Buffer.concat(Array.from({ length: 500 }, () => one))))) return socket;
      }
    }
    return socket;
  });
}

function bodiesOfOneByteChunks(url: string, token: string): Promise<readonly TLSSocket[]> {
  const chunks = Buffer.from('1\r\n \r\n'.repeat(20_000));
  return repeat(100, async () => {
    const socket = (await openRaw(url, 'http/1.1')).resume();
    socket.write(
      http1Head({ method: 'POST', path: reviews, token }, 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'),
    );
    await writeOn(socket, chunks);
    return socket;
  });
}

/** A frame whose bytes come one by one in records of TLS, by nobody. */
function framesInPieces(url: string): Promise<readonly TLSSocket[]> {
  return repeat(20, async () => {
    const socket = await openHttp2(url, windowSetting);
    const head = frame(1, 0x4, 1);
    head.writeUIntBE(250_000, 0, 3);
    socket.write(head);
    for (let sent = 0; sent < 10_000; sent++) if (!(await writeOn(socket, Buffer.from([0])))) break;
    return socket;
  });
}

/** A string of a header field whose bytes come in CONTINUATION frames of one byte, by nobody. */
function fieldsInPieces(url: string): Promise<readonly TLSSocket[]> {
  return repeat(20, async () => {
    const socket = await openHttp2(url, windowSetting);
    // A name of 1,000,000 bytes.
    socket.write(frame(1, 0, 1, Buffer.from([0, 0x7f, 0xc1, 0x83, 0x3d])));
    const one = Buffer.concat(Array.from({ length: 1000 }, () => frame(9, 0, 1, Buffer.from('a'))));
    for (let sent = 0; sent < 100; sent++) if (!(await writeOn(socket, one))) break;
    return socket;
  });
}

/** A megabyte of header fields in some hundred bytes (RFC 7541 section 7.3). */
function fieldsByIndex(url: string, token: string, method: string, path: string): Promise<readonly TLSSocket[]> {
  const { first, again } = indexedBlocks([['x-a', 'v'.repeat(4_000)]]);
  return repeat(10, async () => {
    const socket = await openHttp2(url, 0);
    for (let stream = 1; stream < 2 * streamsEach; stream += 2) {
      const request = headerBlock([
        [':method', method],
        [':scheme', 'https'],
        [':authority', 'a'],
        [':path', path],
        ['authorization', `Bearer ${token}`],
        ['content-type', 'application/json'],
      ]);
      const block = Buffer.concat([
        request,
        ...(stream === 1 ? [first] : []),
        ...Array.from({ length: 250 }, () => again),
      ]);
      if (!(await writeOn(socket, headersFrames(stream, block, method === 'GET')))) break;
    }
    return socket;
  });
}

/** Answers of which nobody takes anything, each read by the gateway between much that is taken. */
async function littleAmongMuch(url: string, token: string): Promise<readonly TLSSocket[]> {
  const reader = await openHttp2(url, 2 ** 31 - 1);
  const window = Buffer.alloc(4);
  window.writeUInt32BE(2 ** 31 - 1 - 65_535);
  reader.write(frame(8, 0, 0, window));
  let nextRead = 1;
  const held = await repeat(10, async () => {
    const socket = await openHttp2(url, 0);
    for (let stream = 1; stream < 2 * streamsEach; stream += 2) {
      socket.write(headersFrame(stream, { method: 'GET', path: `${configMaps}/large-0`, token }, true));
      reader.write(
        headersFrame(nextRead, { method: 'GET', path: `${configMaps}?limit=20&resourceVersion=0`, token }, true),
      );
      nextRead += 2;
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    return socket;
  });
  return [reader, ...held];
}

/** Watches of which nothing is taken: each begins with the same objects of 900 KB. */
function watchesOfLargeObjects(url: string, token: string): Promise<readonly TLSSocket[]> {
  return repeat(10, async () => {
    const socket = await openHttp2(url, windowSetting);
    for (let stream = 1; stream < 2 * streamsEach; stream += 2)
      socket.write(
        headersFrame(
          stream,
          { method: 'GET', path: `${configMaps}?watch=true&labelSelector=size%3Dhuge`, token },
          true,
        ),
      );
    return socket;
  });
}

export const memoryAttacks: readonly MemoryAttack[] = [
  { name: 'bodies of frames of one byte', mostMiB: 100, hold: bodiesOfOneByteFrames },
  { name: 'bodies of chunks of one byte', mostMiB: 100, hold: bodiesOfOneByteChunks },
  { name: 'frames in pieces of one byte', mostMiB: 50, hold: framesInPieces },
  { name: 'header fields in pieces of one byte', mostMiB: 50, hold: fieldsInPieces },
  {
    name: 'header fields by their index',
    mostMiB: 150,
    hold: (url, token) => fieldsByIndex(url, token, 'POST', reviews),
  },
  {
    name: 'watches with header fields by their index',
    mostMiB: 350,
    hold: (url, token) => fieldsByIndex(url, token, 'GET', `${configMaps}?watch=true`),
  },
  { name: 'a little of each read', mostMiB: 100, hold: littleAmongMuch },
  { name: 'stalled watches of large objects', mostMiB: 250, hold: watchesOfLargeObjects },
  {
    name: 'stalled watches',
    mostMiB: 300,
    hold: (url, token) => startAttack({ name: 'stalled watches', url, token, count: 1_000 }),
  },
];
