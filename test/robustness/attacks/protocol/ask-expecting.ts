import type { TLSSocket } from 'node:tls';
import { frame, http2Preface, openRaw } from '#test/robustness/hostile/raw-connection.ts';
import type { ExpectationCase } from './expectation-cases.ts';
import { frameFlag, frameType, headerBlock, headersFrames, nextFrame, statusOf } from './http2-wire.ts';

/** How long a client waits for a word before it sends its body unasked. */
const unaskedMs = 400;
const patienceMs = 5_000;
const largestData = 16_384;

/**
 * What happens in turn: each status, `body` when the client sends it after a 100, `body unasked` when nothing came, and
 * `close` where the server ends the connection.
 */
export type Conversation = readonly string[];

interface Wire {
  head(item: ExpectationCase): Buffer;
  body(item: ExpectationCase): Buffer;
  /** The statuses that are complete in the bytes so far, with `close` for an answer that ends its connection. */
  read(received: Buffer): readonly string[];
}

const http1: Wire = {
  head: ({ method, path, fields, body }) => {
    const hasLength = fields.some(([name]) => name === 'content-length');
    const framing = hasLength ? '' : body === '' ? 'content-length: 0\r\n' : 'transfer-encoding: chunked\r\n';
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: a\r\n${framing}${lines}\r\n`, 'latin1');
  },
  body: ({ fields, body }) => {
    const hasLength = fields.some(([name]) => name === 'content-length');
    return Buffer.from(hasLength ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  },
  read: (received) =>
    [...received.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3}).*?\r\n\r\n/gms)].flatMap(([head, status = '']) =>
      /^connection: close\r$/im.test(head) ? [status, 'close'] : [status],
    ),
};

const http2: Wire = {
  head: ({ method, path, fields, body }) =>
    Buffer.concat([
      http2Preface,
      headersFrames(
        1,
        headerBlock([[':method', method], [':scheme', 'https'], [':authority', 'a'], [':path', path], ...fields]),
        body === '',
      ),
    ]),
  body({ body }) {
    const frames: Buffer[] = [];
    for (let at = 0; at < body.length; at += largestData) {
      const isLast = at + largestData >= body.length;
      const part = Buffer.from(body.slice(at, at + largestData));
      frames.push(frame(frameType.data, isLast ? frameFlag.endStream : 0, 1, part));
    }
    return Buffer.concat(frames);
  },
  read(received) {
    const statuses: string[] = [];
    let rest = received;
    for (let next = nextFrame(rest); next !== undefined; next = nextFrame(rest)) {
      rest = rest.subarray(9 + next.payload.length);
      if (next.type === frameType.headers && next.stream === 1) statuses.push(String(statusOf(next.payload)));
      if (next.type === frameType.goaway) statuses.push(`goaway ${next.payload.readUInt32BE(4)}`);
    }
    return statuses;
  },
};

/** Sends the head of a request, and its body only when the server asks for it or says nothing. */
export async function askExpecting(
  url: string,
  protocol: 'http/1.1' | 'h2',
  item: ExpectationCase,
): Promise<Conversation> {
  const socket = await openRaw(url, protocol);
  try {
    return await converse(socket, protocol === 'h2' ? http2 : http1, item);
  } finally {
    socket.destroy();
  }
}

function converse(socket: TLSSocket, wire: Wire, item: ExpectationCase): Promise<Conversation> {
  return new Promise((resolve) => {
    const told: string[] = [];
    let received: Buffer = Buffer.alloc(0);
    let seen = 0;
    const sendBody = (why: string): void => {
      told.push(why);
      socket.write(wire.body(item));
    };
    const unasked = setTimeout(() => sendBody('body unasked'), unaskedMs);
    if (item.body === '') clearTimeout(unasked);
    const timer = setTimeout(() => done(), patienceMs);
    const done = (): void => {
      clearTimeout(unasked);
      clearTimeout(timer);
      resolve(told);
    };
    socket.on('close', done);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const all = wire.read(received);
      const fresh = all.slice(seen);
      seen = all.length;
      for (const word of fresh) {
        clearTimeout(unasked);
        told.push(word);
        if (word === '100' && item.body !== '') sendBody('body');
      }
      if (fresh.some((word) => /^[2-5]\d\d$/.test(word))) done();
    });
    socket.write(wire.head(item));
  });
}
