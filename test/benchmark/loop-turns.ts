// No long pauses: the longest turn of the event loop of each process (CPU time of the thread, garbage collection included)
// while large work goes on.
//   node --import tsx test/benchmark/loop-turns.ts [--only PATTERN]
// Fails where a turn is longer than what the table allows. Needs kbench, see README.md.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startCluster } from '../cluster.ts';
import { JsonClient } from '../json-client.ts';
import { referenceProgram } from '../reference.ts';
import { adminToken, writeTokens } from '../tokens.ts';
import { largeDefinition, objectOf } from './large-definition.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const allowedMs = 10;
const settleMs = 500;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const configMaps = '/api/v1/namespaces/default/configmaps';

const folder = mkdtempSync(join(tmpdir(), 'loop-turns-'));
const file = join(folder, 'turns');
writeFileSync(file, '');
process.env['LOOP_TURNS_FILE'] = file;
process.env['NODE_OPTIONS'] = `--import=${join(import.meta.dirname, 'watch-loop.ts')}`;
const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'] });
const client = new JsonClient(cluster.url, adminToken);

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, object?: unknown): Promise<void> {
  const { status, body } = await client.call(method, path, object);
  if (status >= 300) console.log(`${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
}

async function kbench(...args: readonly string[]): Promise<void> {
  await promisify(execFile)(referenceProgram('kbench') ?? 'kbench', ['-server', cluster.url, '-token', adminToken, '-d', '2s', ...args]);
}

function large(name: string, bytes: number): object {
  const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, 'x'.repeat(bytes / 100)]));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

const scenarios: readonly (readonly [name: string, work: () => Promise<unknown>])[] = [
  ['start', () => sleep(1000)],
  ['5,000 pods made', () => kbench('-run', 'fillpods', '-objects', '5000')],
  ['GET at 32 clients', () => kbench('-run', 'get')],
  ['LIST of 500 at 8 clients', () => kbench('-run', 'list500', '-objects', '5000', '-c', '8')],
  ['Table of 500 at 8 clients', () => kbench('-run', 'table', '-objects', '5000', '-c', '8')],
  ['LIST of all, one after the other', () => kbench('-run', 'listall', '-objects', '5000', '-c', '1')],
  ['LIST of all as Table', () => kbench('-run', 'listall', '-objects', '5000', '-c', '1', '-accept', 'application/json;as=Table;v=v1;g=meta.k8s.io')],
  ['LIST of all in protobuf', () => kbench('-run', 'listall', '-objects', '5000', '-c', '1', '-accept', 'application/vnd.kubernetes.protobuf')],
  ['OpenAPI v2', () => call('GET', '/openapi/v2')],
  ['OpenAPI v3, all documents', async () => {
    const { body } = await client.call('GET', '/openapi/v3');
    for (const { serverRelativeURL } of Object.values((body as { paths: Record<string, { serverRelativeURL: string }> }).paths)) await call('GET', serverRelativeURL);
  }],
  ['20 definitions of 100 KiB', async () => { for (let i = 0; i < 20; i++) await call('POST', definitionsPath, largeDefinition(i, 100 * 1024)); }],
  ['a definition of 1 MiB', () => call('POST', definitionsPath, largeDefinition(20, 1024 * 1024))],
  ['first object of each', async () => { for (let i = 0; i < 21; i++) await call('POST', objectOf(i).path, objectOf(i).object); }],
  ['their OpenAPI v3', async () => { for (let i = 0; i < 21; i++) await call('GET', `/openapi/v3/${objectOf(i).path.split('/').slice(1, 4).join('/')}`); }],
  ['their OpenAPI v2', () => call('GET', '/openapi/v2')],
  ['a ConfigMap of 1 MB made', () => call('POST', configMaps, large('large', 1_000_000))],
  ['it patched', () => call('PATCH', `${configMaps}/large`, { data: { key0: 'y' } })],
  ['all pods deleted', () => call('DELETE', '/api/v1/namespaces/kbench/pods')],
];

try {
  let from = 0;
  let long = false;
  for (const [name, work] of scenarios) {
    if (!new RegExp(values.only, 'i').test(name) && name !== 'start') continue;
    await work();
    await sleep(settleMs);
    const text = readFileSync(file, 'utf8');
    const longest = new Map<string, number>();
    for (const line of text.slice(from).split('\n')) {
      const [process = '', , ms = '0'] = line.split(' ');
      if (process !== '') longest.set(process, Math.max(longest.get(process) ?? 0, Number(ms)));
    }
    from = text.length;
    const told = [...longest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([process, ms]) => `${process} ${ms.toFixed(0)} ms`).join(', ');
    if (name !== 'start' && Math.max(0, ...longest.values()) > allowedMs) long = true;
    console.log(`${name}: ${told || 'none'}`);
  }
  if (long) process.exitCode = 1;
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
