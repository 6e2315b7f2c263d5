// Random writes and rollbacks, or forks, of a cluster of tests (README.md):
//   node --import tsx test/robustness/rollback/run.ts [--rounds 500] [--seed N] [--writers | --forks] [--client-go]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildClientGoInformers } from './client-go-informers.ts';
import { playForks } from './play-forks.ts';
import { guestLine, playRollbacks } from './play-rollbacks.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '500' },
    seed: { type: 'string' },
    writers: { type: 'boolean', default: false },
    forks: { type: 'boolean', default: false },
    'client-go': { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const folder = mkdtempSync(join(tmpdir(), 'rollback-'));
const tokenFile = join(folder, 'tokens.csv');
writeFileSync(tokenFile, guestLine);
console.log(`seed ${seed}`);
try {
  const rounds = Number(values.rounds);
  const say = (line: string): void => console.log(line);
  const clientGo = values['client-go'] ? buildClientGoInformers(folder) : undefined;
  if (values.forks) await playForks({ rounds, seed, clientGo, say });
  else await playRollbacks({ rounds, seed, hasWriters: values.writers, clientGo, say }, tokenFile);
  console.log(`${rounds} rounds: ${values.forks ? 'neither shows what the other wrote' : 'all as at the mark'}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
