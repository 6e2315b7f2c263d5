// No long pauses while metrics are scraped: what held the event loop of each process longest (CPU time of the thread),
// with 200 definitions whose objects were made, listed and read, so that each has its series.
//   node --import tsx test/benchmark/scrape-turns.ts [--count 200] [--scrapes 20]
// Fails where one callback took longer than README.md allows. Needs `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { JsonClient } from '#test/json-client.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { Contention } from './contention.ts';
import { largeDefinition, objectOf } from './large-definition.ts';
import { TurnsFile } from './turns-file.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '200' }, scrapes: { type: 'string', default: '20' } },
});
const count = Number(values.count);
/** On a quiet machine. */
const allowedMs = 10;
/** A machine that is busier says nothing. */
const largestFactor = 3;
const definitionBytes = 2_000;
const parallel = 8;
const settleMs = 2_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const protobuf = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';
const forms: Readonly<Record<string, string>> = {
  text: 'text/plain',
  OpenMetrics: 'application/openmetrics-text;version=1.0.0',
  protobuf,
};

async function useAll(client: JsonClient): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      await client.call('POST', definitions, largeDefinition(index, definitionBytes));
      const { path, object } = objectOf(index);
      while ((await client.call('POST', path, object)).status !== 201) await sleep(50);
      const name = (object as { readonly metadata: { readonly name: string } }).metadata.name;
      for (const read of [path, `${path}/${name}`, `${path}?watch=1&timeoutSeconds=1`]) await client.call('GET', read);
      await client.call('DELETE', `${path}/${name}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

/** The longest callback of each process, ms by process. */
function longestOf(turns: TurnsFile): [process: string, ms: number][] {
  return [...turns.takeLongest()]
    .filter(([key]) => key.endsWith(' call'))
    .map(([key, ms]) => [key.slice(0, -' call'.length), ms]);
}

const folder = mkdtempSync(join(tmpdir(), 'scrape-turns-'));
const turns = new TurnsFile(folder);
const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] });
const client = new JsonClient(cluster.url, adminToken);
const contention = new Contention();
try {
  await useAll(client);
  await sleep(settleMs);
  turns.takeLongest();
  let longestMs = 0;
  for (const [form, accept] of Object.entries(forms)) {
    let bytes = 0;
    const start = performance.now();
    for (let at = 0; at < Number(values.scrapes); at++)
      bytes = String((await client.call('GET', '/metrics', undefined, accept)).body).length;
    const eachMs = (performance.now() - start) / Number(values.scrapes);
    await sleep(settleMs);
    const longest = longestOf(turns);
    longestMs = Math.max(longestMs, ...longest.map(([, ms]) => ms));
    const shown = longest.map(([process, ms]) => `${process} ${ms.toFixed(1)}`).join(', ');
    console.log(
      `${form}: ${(bytes / 1e6).toFixed(1)} MB, ${eachMs.toFixed(0)} ms a scrape; longest callbacks, ms: ${shown || 'none above 4'}`,
    );
  }
  const factor = contention.factor();
  console.log(`work takes ${factor.toFixed(2)} times as long as on a quiet machine`);
  if (longestMs > allowedMs * Math.min(factor, largestFactor)) process.exitCode = 1;
} finally {
  contention.stop();
  await client.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
