// A KMS plugin of k8s.io/kms is killed, started again, made slow and unhealthy, and gets other keys. The reference and
// this server, over etcd and over its own store, are asked for their health, for Secrets and for metrics all the time;
// and over one etcd each reads what the other wrote:
//   npm run build && REFERENCE_BIN=FOLDER node --import tsx test/conformance/kms/run.ts [--short] [--only PART]
// Needs Go. `--short` leaves out the end of a key's time, which takes minutes. It is not judged by a clock: each step
// waits until a server says that it knows of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Findings } from './findings.ts';
import { parts } from './parts.ts';
import { buildPlugin } from './plugin.ts';

const { values: given } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'kms-'));
const findings = new Findings();
const chosen = Object.entries(parts).filter(([name]) => given.only === undefined || given.only === name);
if (chosen.length === 0) throw new Error(`there is no such part: ${Object.keys(parts).join(', ')}`);
try {
  const program = buildPlugin(folder);
  for (const [name, part] of chosen) {
    const own = mkdtempSync(join(folder, 'part-'));
    await part({ program, folder: own, isShort: given.short === true, findings }).catch((error: unknown) =>
      findings.complain(`${name}: ${error instanceof Error ? error.stack : String(error)}`),
    );
    console.log(`${name}: ${findings.compared} compared so far, ${findings.complaints.length} differ`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const complaint of findings.complaints) console.log(complaint.slice(0, 2_000));
console.log(`kms: ${findings.compared} compared, ${findings.complaints.length} differ`);
process.exitCode = findings.complaints.length === 0 ? 0 : 1;
