import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../../../../cluster.ts';
import { askWho } from './ask-who.ts';
import { servedCases, type ServedCase } from './served-cases.ts';
import { pemOf } from './verdicts.ts';

const cases = JSON.parse(readFileSync(new URL('gen/served.json', import.meta.url), 'utf8')) as ServedCase[];
const folder = mkdtempSync(join(tmpdir(), 'served-certificates-'));
const authorities = join(folder, 'ca.crt');

let cluster: Cluster;
before(async () => {
  writeFileSync(authorities, [...new Set(cases.flatMap(({ roots }) => roots))].map((der) => pemOf(der)).join(''));
  cluster = await startCluster({ flags: ['--client-ca-file', authorities] });
});
after(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

test('who sends a chain over TLS is who it is for kube-apiserver, on both protocols', async () => {
  const differences: string[] = [];
  for (const one of cases) {
    for (const protocol of ['h1', 'h2'] as const) {
      const told = await askWho(cluster.url, one, protocol);
      // Go ends the handshake over what it cannot read; here it is a 401.
      if (told !== one.told && !(one.told === 'ended' && told === 'refused')) differences.push(`${protocol} ${one.name}: ${told} instead of ${one.told}`);
    }
  }
  assert.deepEqual(differences, []);
  assert.equal(cases.length, servedCases.size);
});
