import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';
import { sendRaw } from '#test/robustness/hostile/raw-connection.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { askExpecting, type Conversation } from './ask-expecting.ts';
import { askFrames, askHttp1, askHttp2 } from './case.ts';
import type { Case, CaseAnswer, FramesOutcome } from './case.ts';
import { expectationCases } from './expectation-cases.ts';
import { frameCases } from './frame-cases.ts';
import { fuzzGateway } from './fuzz-gateway.ts';
import { headerCases, impossibleCases } from './header-cases.ts';
import { methodCases } from './method-cases.ts';

// Each case is told what the reference told it (record.ts), and no process ends.

const servers = ['store', 'core', 'extensions', 'gateway'] as const;
const folder = mkdtempSync(join(tmpdir(), 'protocol-'));
const recorded = readRecorded<{ http1: CaseAnswer; http2: CaseAnswer }>('answers.json');
const recordedExpectations = readRecorded<Record<'http1' | 'http2', Conversation>>('expectations.json');
const recordedFrames = readRecorded<FramesOutcome>('frames.json');

function readRecorded<T>(name: string): ReadonlyMap<string, T> {
  return new Map(
    Object.entries(JSON.parse(readFileSync(join(import.meta.dirname, 'gen', name), 'utf8')) as Record<string, T>),
  );
}

let cluster: Cluster;
let processes: readonly (number | undefined)[];
before(async () => {
  cluster = await startCluster({ flags: ['--token-auth-file', writeTokens(folder)] });
  processes = servers.map((name) => processOf(cluster, name));
});
after(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

async function compare(cases: readonly Case[]): Promise<void> {
  await Promise.all(
    cases.map(async (item) => {
      const expected = recorded.get(item.name);
      assert.ok(expected, `${item.name} was not recorded`);
      const [http1, http2] = await Promise.all([askHttp1(cluster.url, item), askHttp2(cluster.url, item)]);
      assert.deepEqual({ http1, http2 }, expected, item.name);
    }),
  );
  assert.deepEqual(
    servers.map((name) => processOf(cluster, name)),
    processes,
    `a process ended: ${cluster.output()}`,
  );
}

describe('gateway protocol', () => {
  test('accepts any token as method and refuses everything else as the reference does', () => compare(methodCases));

  test('reads header values with surrounding whitespace as the reference does', () => compare(headerCases));

  test('refuses requests with malformed headers', async () => {
    await Promise.all(
      impossibleCases.map(async (item) => {
        const { http1, http2 } = recorded.get(item.name) as { http1: CaseAnswer; http2: CaseAnswer };
        // What an HTTP/1.1 parser says of it is its own.
        assert.equal((await askHttp1(cluster.url, item)).status, http1.status, item.name);
        assert.deepEqual(await askHttp2(cluster.url, item), http2, item.name);
      }),
    );
  });

  for (const item of frameCases) {
    test(`answers HTTP/2 frames as the reference does: ${item.name}`, async () => {
      assert.deepEqual(await askFrames(cluster.url, item), recordedFrames.get(item.name));
    });
  }

  test('asks clients for the body, or refuses it, when the reference does', async () => {
    await Promise.all(
      expectationCases.map(async (item) => {
        const [http1, http2] = await Promise.all([
          askExpecting(cluster.url, 'http/1.1', item),
          askExpecting(cluster.url, 'h2', item),
        ]);
        assert.deepEqual({ http1, http2 }, recordedExpectations.get(item.name), item.name);
      }),
    );
  });

  test('closes the connection on an upgrade or CONNECT behind a pending request and keeps running', async () => {
    for (const second of [
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /api HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ]) {
      await sendRaw(
        cluster.url,
        `GET /openapi/v2 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${adminToken}\r\n\r\n${second}`,
        500,
      );
    }
    assert.deepEqual(
      servers.map((name) => processOf(cluster, name)),
      processes,
      `a process ended: ${cluster.output()}`,
    );
  });

  test('neither reads, changes nor crashes on random bytes and frames of anonymous senders', async () => {
    const { findings } = await fuzzGateway(cluster, { seed: 1, forMs: 2_000, workers: 8 });
    assert.deepEqual(findings, []);
  });
});
