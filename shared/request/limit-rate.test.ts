import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { DirectReads } from './direct-reads.ts';
import { limitRate } from './limit-rate.ts';

let server: Server;

before(async () => {
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

after(() => server.close());

/** Both ends of a connection, the first limited. */
async function connected(bytesPerSecond: number): Promise<{ limited: Duplex; peer: Socket; inner: Socket }> {
  const inner = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const [peer] = (await once(server, 'connection')) as [Socket];
  const connection = {
    response: {} as IncomingMessage,
    socket: inner,
    head: Buffer.alloc(0),
    reads: new DirectReads(),
  };
  const limited = limitRate(connection, bytesPerSecond).socket;
  for (const end of [limited, peer]) end.on('error', () => undefined);
  return { limited, peer, inner };
}

/** What a stream gives until its end. Its other half goes on, which `toArray` would destroy. */
async function bytesOf(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  return Buffer.concat(chunks);
}

const content = Buffer.from(Array.from({ length: 30_000 }, (_, at) => at % 251));

describe('limitRate', () => {
  test('passes each way on in windows of a tenth of a second, complete and in order', async () => {
    const { limited, peer } = await connected(100_000);
    const startMs = performance.now();
    limited.end(content);
    peer.end(content);
    const [received, sent] = await Promise.all([bytesOf(limited), bytesOf(peer)]);
    // Three windows of 10,000 bytes, of which the first and the last need no wait.
    assert.ok(performance.now() - startMs >= 190, `took ${performance.now() - startMs} ms`);
    assert.ok(received.equals(content) && sent.equals(content));
  });

  test('leaves unread what is above the limit, so that the peer waits', async () => {
    const { limited, peer, inner } = await connected(1000);
    limited.resume();
    const large = Buffer.alloc(64 * 1024 * 1024);
    peer.write(large);
    await once(limited, 'data');
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.ok(inner.bytesRead < 4 * 1024 * 1024, `${inner.bytesRead} bytes were read`);
    assert.ok(peer.writableLength > large.length / 2);
    limited.destroy();
    await new Promise((resolve) => peer.once('close', resolve));
  });

  test('ends with its peer, and destroys it', async () => {
    const { limited, peer, inner } = await connected(1000);
    limited.resume();
    peer.destroy();
    await once(limited, 'end');
    limited.destroy();
    if (!inner.closed) await once(inner, 'close');
  });

  test('leaves a connection as it is without a limit', async () => {
    const { limited, inner } = await connected(0);
    assert.equal(limited, inner);
    inner.destroy();
  });
});
