// Runs kube-controller-manager, kube-scheduler and kwok (upstream's, unmodified) on a fresh cluster and gives them
// work:
//   node --import tsx test/e2e/controllers/run.ts [--minutes 3] [--keep FOLDER]     on this server
//   node --import tsx test/e2e/controllers/run.ts --record [--minutes 10]           on the reference: keeps the kinds of its log lines
// It fails when a step does not come about, or when a program logs a kind of error that it did not log against the
// reference.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { startReference } from '#test/reference.ts';
import { missingPrograms, startControlPlane } from './control-plane.ts';
import { KubectlSteps } from './kubectl-steps.ts';
import { logKinds } from './log-kinds.ts';
import { runWorkloads } from './workloads.ts';

const recorded = join(import.meta.dirname, 'gen', 'log-kinds.json');
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    record: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});
const missing = missingPrograms();
if (missing.length > 0) throw new Error(`REFERENCE_BIN lacks ${missing.join(', ')}`);

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'e2e-controllers-'));
const cluster = values.record
  ? await startReference()
  : await startCluster({ bundled: true, flags: ['--service-cluster-ip-range', '10.0.0.0/16'] });
const end = performance.now() + Number(values.minutes) * 60_000;
const kinds: Record<string, string[]> = {};
try {
  const plane = await startControlPlane(cluster, folder);
  try {
    const kubectl = new KubectlSteps(cluster.kubeconfig);
    await kubectl.do('apply -f nodes.yaml');
    for (let round = 1; round === 1 || performance.now() < end; round++) {
      await runWorkloads(kubectl, `e2e-${round}`, (step) => console.log(`round ${round}: ${step}`));
    }
  } finally {
    for (const [name, log] of plane.logs()) kinds[name] = logKinds(log);
    await plane.close();
  }
} finally {
  await cluster.close();
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
if (values.record) {
  writeFileSync(recorded, `${JSON.stringify(kinds, null, 1)}\n`);
} else {
  const known = JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, string[]>;
  const fresh = Object.entries(kinds).flatMap(([name, lines]) =>
    lines.filter((line) => line.startsWith('E') && !known[name]?.includes(line)).map((line) => `${name}: ${line}`),
  );
  for (const line of fresh) console.log(`NEW KIND OF ERROR ${line}`);
  console.log(`${fresh.length} kinds of errors that the programs do not log against the reference`);
  if (fresh.length > 0) process.exitCode = 1;
}
