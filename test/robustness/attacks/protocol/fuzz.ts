// Random HTTP/1.1 bytes and HTTP/2 frames against a cluster of its own, by senders without rights (fuzz-gateway.ts).
//   fuzz.ts [--minutes N] [--seed S]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { writeTokens } from '#test/tokens.ts';
import { fuzzGateway } from './fuzz-gateway.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed}, ${values.minutes} minutes`);
const folder = mkdtempSync(join(tmpdir(), 'protocol-fuzz-'));
const cluster = await startCluster({ flags: ['--token-auth-file', writeTokens(folder)] });
const { connections, statuses, findings } = await fuzzGateway(cluster, {
  seed,
  forMs: Number(values.minutes) * 60_000,
  workers: 8,
});
const faults = cluster
  .output()
  .split('\n')
  .filter((line) => /request handler failed|what a request led to failed|cannot answer with an error/.test(line));
await cluster.close();
rmSync(folder, { recursive: true });
console.log(
  `${connections} connections; first answers: ${[...statuses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, count]) => `${status} ${count}`)
    .join(', ')}`,
);
for (const fault of new Set(faults.map((line) => line.slice(0, 600)))) console.log(`a handler failed: ${fault}`);
for (const finding of findings) console.error(`FINDING: ${finding}`);
process.exitCode = findings.length > 0 || faults.length > 0 ? 1 : 0;
