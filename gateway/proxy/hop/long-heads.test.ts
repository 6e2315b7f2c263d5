import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HopTransport } from '#gateway/proxy/hop-transport.ts';
import { frameHeadBytes } from '#shared/frames/frame-head.ts';
import { readRequestHead } from '#shared/process/hop/hop-request-head.ts';
import type { AnswerHandler } from '#shared/request/relay/relay.ts';

const nobody: AnswerHandler = {
  onWhole: () => undefined,
  onHead: () => undefined,
  onData: () => true,
  onEnd: () => undefined,
  onError: () => undefined,
};

/** The targets of the requests in the order in which they come, until there are so many. */
async function targetsOf(peer: Socket, count: number): Promise<readonly string[]> {
  const targets: string[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of peer) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= frameHeadBytes && rest.length >= frameHeadBytes + rest.readUInt32BE(0)) {
      const end = frameHeadBytes + rest.readUInt32BE(0);
      targets.push(readRequestHead(rest.subarray(frameHeadBytes, end)).target);
      rest = rest.subarray(end);
    }
    if (targets.length >= count) break;
  }
  return targets;
}

describe('hop requests with long heads', () => {
  test('lets a short request overtake long heads that wait while the backend does not read', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'hop-'));
    const path = join(folder, 'hop.sock');
    const server = createServer().listen(path);
    const transport = new HopTransport(() => connect({ path }));
    t.after(() => {
      transport.close();
      server.close();
      rmSync(folder, { recursive: true });
    });
    const ask = (target: string, sharedLines: string): void =>
      void transport.forward({ method: 'GET', target, ownLines: '', sharedLines, body: undefined }, nobody);
    const long = `x-a: ${'v'.repeat(1_000_000)}\r\n`;
    const calls = 30;
    ask('/first', '');
    const [peer] = (await once(server, 'connection')) as [Socket];
    await once(peer, 'readable');
    peer.read();
    peer.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    await once(peer, 'readable');
    for (let at = 0; at < calls; at++) ask(`/long-${at}`, long);
    await new Promise((resolve) => setTimeout(resolve, 50));
    ask('/short', '');
    const targets = await targetsOf(peer, calls + 2);
    assert.deepEqual(new Set(targets).size, calls + 2);
    const place = targets.indexOf('/short');
    assert.ok(place > 0 && place < calls / 2, `${place} of ${targets.length}`);
  });

  test('shares the text of a repeated header value between the heads that hold it', () => {
    const value = 'v'.repeat(4_000);
    const own = Buffer.from('GET /x\n');
    const head = Buffer.alloc(5);
    head.writeUInt32BE(own.length, 1);
    const payload = Buffer.concat([head, own, Buffer.from(`x-a: ${value}\r\n`.repeat(240))]);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const usedMiB = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1024 / 1024;
    };
    const before = usedMiB();
    const held = Array.from({ length: 100 }, () => readRequestHead(payload));
    const grown = usedMiB() - before;
    const [first] = held;
    assert.equal(first?.sharedHeaders.length, 480);
    assert.equal(first?.headers['x-a'], Array.from({ length: 240 }, () => value).join(', '));
    // Kept as it came, each would be a megabyte.
    assert.ok(grown < 20, `${grown} MiB`);
  });
});
