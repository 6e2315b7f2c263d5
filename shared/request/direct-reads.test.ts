import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { DirectReads } from './direct-reads.ts';

interface Pair {
  readonly reads: DirectReads;
  /** The end that `reads` belong to. */
  readonly from: Socket;
  readonly peer: Socket;
  readonly close: () => void;
}

async function pairOf(
  server: Server,
  dial: (port: number, reads: DirectReads) => Socket,
  event: string,
): Promise<Pair> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, event) as Promise<[Socket]>;
  const reads = new DirectReads();
  const from = dial((server.address() as { port: number }).port, reads);
  reads.connection = from;
  const [peer] = await accepted;
  return { reads, from, peer, close: () => void [from.destroy(), peer.destroy(), server.close()] };
}

const plainPair = (): Promise<Pair> =>
  pairOf(
    createServer({ noDelay: true }),
    (port, { onread }) => connect({ port, host: '127.0.0.1', onread }),
    'connection',
  );

async function tlsPair(): Promise<Pair> {
  const serving = await (await createTestCa('CN=ca')).issue('CN=server', 'server');
  return await pairOf(
    createTlsServer(serving),
    (port, { onread }) => {
      const options = { port, host: '127.0.0.1', rejectUnauthorized: false, onread };
      return connectTls(options);
    },
    'secureConnection',
  );
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Pieces of a byte to 200 KiB, written with pauses so that small and large reads take turns. */
async function writePieces(peer: Socket, seed: number): Promise<Buffer> {
  const sent: Buffer[] = [];
  for (let at = 0; at < 120; at++) {
    const piece = randomBytes(at % 30 < 12 ? 1 + ((at * seed) % 300) : (at * seed * 7919) % (200 * 1024));
    sent.push(piece);
    peer.write(piece);
    if (at % 3 === 0) await new Promise(setImmediate);
  }
  peer.end();
  return Buffer.concat(sent);
}

/** A reader that takes a turn for most pieces, and the others at once. */
function slowly(received: Buffer[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // The bytes are copied, for the memory is used again.
      received.push(Buffer.from(chunk));
      if (received.length % 3 === 0) done();
      else setImmediate(done);
    },
  });
}

describe('DirectReads', () => {
  for (const [kind, open] of [
    ['plain', plainPair],
    ['TLS', tlsPair],
  ] as const)
    test(`passes all bytes of several ${kind} connections on unchanged, in small and large reads`, async () => {
      const pairs = await Promise.all([open(), open(), open()]);
      try {
        await Promise.all(
          pairs.map(async ({ reads, peer }, at) => {
            const received: Buffer[] = [];
            const to = slowly(received);
            reads.passOn(to);
            const [sent] = await Promise.all([writePieces(peer, at + 1), once(to, 'finish')]);
            assert.equal(digest(Buffer.concat(received)), digest(sent));
            assert.equal(reads.isUsed, true);
          }),
        );
      } finally {
        for (const { close } of pairs) close();
      }
    });

  test('gathers TLS records of 1 KiB into few writes', async () => {
    const { reads, peer, close } = await tlsPair();
    try {
      (peer as TLSSocket).setMaxSendFragment(1024);
      const received: Buffer[] = [];
      const to = slowly(received);
      reads.passOn(to);
      const sent = randomBytes(8 * 1024 * 1024);
      const finished = once(to, 'finish');
      peer.end(sent);
      await finished;
      assert.equal(digest(Buffer.concat(received)), digest(sent));
      assert.ok(received.length < 1024, `${received.length} writes`);
    } finally {
      close();
    }
  });

  test('passes bytes on first that had arrived before, and leaves earlier ones to an ordinary read', async () => {
    const { reads, from, peer, close } = await plainPair();
    try {
      peer.write('HTTP/1.1 101\r\n\r\n');
      const [head] = (await once(from, 'data')) as [Buffer];
      assert.equal(head.toString(), 'HTTP/1.1 101\r\n\r\n');
      from.pause();
      from.removeAllListeners('data');
      peer.write('early, ');
      const to = new PassThrough();
      reads.passOn(to);
      peer.end('late');
      assert.equal(await to.toArray().then((chunks: Buffer[]) => Buffer.concat(chunks).toString()), 'early, late');
    } finally {
      close();
    }
  });

  test('stops reading while the destination does not write', async () => {
    const { reads, from, peer, close } = await plainPair();
    try {
      const waiting: (() => void)[] = [];
      let taken = 0;
      const to = new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          taken += chunk.length;
          waiting.push(done);
        },
      });
      reads.passOn(to);
      const all = Buffer.alloc(32 * 1024 * 1024, 'x');
      peer.end(all);
      while (waiting.length === 0 || from.bytesRead === 0) await new Promise(setImmediate);
      let before = -1;
      // It is read until enough bytes wait.
      while (before !== from.bytesRead) {
        before = from.bytesRead;
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      }
      assert.ok(from.bytesRead < 1024 * 1024, `${from.bytesRead} bytes are read`);
      while (taken < all.length || waiting.length > 0) {
        waiting.shift()?.();
        await new Promise(setImmediate);
      }
      if (!to.writableFinished) await once(to, 'finish');
      assert.equal(taken, all.length);
    } finally {
      close();
    }
  });

  test('drops bytes for a destroyed destination, and reads the peer to its end', async () => {
    const { reads, from, peer, close } = await plainPair();
    try {
      const to = new PassThrough();
      reads.passOn(to);
      to.destroy();
      peer.end(Buffer.alloc(8 * 1024 * 1024));
      await once(from, 'end');
      assert.equal(from.bytesRead, 8 * 1024 * 1024);
    } finally {
      close();
    }
  });
});
