// What a real etcd may do to the servers:
//   node --import tsx test/replicas/etcd-faults.ts [SCENARIO…]
// Each scenario has an etcd and a cluster of its own. ABSENT_SECONDS says how long etcd is away in `away` (default 15).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceProgram } from '#test/reference.ts';
import { away } from './etcd-faults/away.ts';
import { compaction } from './etcd-faults/compaction.ts';
import { limits } from './etcd-faults/limits.ts';
import { members } from './etcd-faults/members.ts';
import { overrides } from './etcd-faults/overrides.ts';
import { permissions } from './etcd-faults/permissions.ts';
import { silent } from './etcd-faults/silent.ts';
import { tls } from './etcd-faults/tls.ts';

const scenarios = { tls, permissions, away, silent, compaction, limits, overrides, members };

const program = referenceProgram('etcd');
if (program === undefined) throw new Error('there is no etcd: REFERENCE_BIN names its folder');
const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(scenarios)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), `etcd-${name}-`));
  const started = performance.now();
  try {
    await run({ program, folder, say: (text) => console.log(`${name}: ${text}`) });
    console.log(`${name}: as it should be, ${Math.round((performance.now() - started) / 1000)} s`);
  } catch (error) {
    console.log(`${name}: FAILED ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
