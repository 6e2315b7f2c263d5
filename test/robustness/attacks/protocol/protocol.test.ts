import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { processOf } from '../../../cluster-processes.ts';
import { startCluster } from '../../../cluster.ts';
import type { Cluster } from '../../../cluster.ts';
import { adminToken, writeTokens } from '../../../tokens.ts';
import { sendRaw } from '../../hostile/raw-connection.ts';
import { askHttp1, askHttp2 } from './case.ts';
import type { Case, Told } from './case.ts';
import { headerCases, http1OnlyCases } from './header-cases.ts';
import { fuzzGateway } from './fuzz-gateway.ts';
import { methodCases } from './method-cases.ts';

// Each case is told what the reference told it (record.ts), and no process ends.

const servers = ['store', 'core', 'extensions', 'gateway'] as const;
const folder = mkdtempSync(join(tmpdir(), 'protocol-'));
const recorded = new Map(Object.entries(JSON.parse(readFileSync(join(import.meta.dirname, 'gen', 'answers.json'), 'utf8')) as Record<string, { http1: Told; http2: Told }>));

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
  await Promise.all(cases.map(async (item) => {
    const expected = recorded.get(item.name);
    assert.ok(expected, `${item.name} was not recorded`);
    const [http1, http2] = await Promise.all([askHttp1(cluster.url, item), askHttp2(cluster.url, item)]);
    assert.deepEqual({ http1, http2 }, expected, item.name);
  }));
  assert.deepEqual(servers.map((name) => processOf(cluster, name)), processes, `a process ended: ${cluster.output()}`);
}

test('a method is a word and nothing else, whatever it is called', () => compare(methodCases));

test('headers are read as the reference reads them, whatever stands around their values', () => compare(headerCases));

test('a header that HTTP/1.1 does not allow is the end of its request', async () => {
  await Promise.all(http1OnlyCases.map(async (item) => {
    const { status } = await askHttp1(cluster.url, item);
    assert.equal(status, recorded.get(item.name)?.http1.status, item.name);
  }));
});

test('an upgrade or CONNECT behind a request that is not answered yet ends its connection, and nothing else', async () => {
  for (const second of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /api HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n']) {
    await sendRaw(cluster.url, `GET /openapi/v2 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${adminToken}\r\n\r\n${second}`, 500);
  }
  assert.deepEqual(servers.map((name) => processOf(cluster, name)), processes, `a process ended: ${cluster.output()}`);
});

test('random bytes and frames of senders without rights read nothing, change nothing and end nothing', async () => {
  const { findings } = await fuzzGateway(cluster, { seed: 1, forMs: 2_000, workers: 8 });
  assert.deepEqual(findings, []);
});
