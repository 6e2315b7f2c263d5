// What requests cost where a company keeps an audit log and encrypts its Secrets: this server beside the reference,
// both with audit at Metadata into a file, and with ConfigMaps, of which kbench makes its requests, encrypted by
// secretbox.
//   node --import tsx test/benchmark/audited-encrypted.ts [--rounds 4] [--seconds 3]
// kbench, kube-apiserver and etcd lie in $REFERENCE_BIN.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram, startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { runKbench, type Measured } from './kbench.ts';
import { processTree } from './processes.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '4' }, seconds: { type: 'string', default: '3' } },
});

/** With the highest ratio of our CPU to the reference's that is aimed at. */
const workloads = [
  { name: 'GET, encrypted', run: 'get', goal: 0.4 },
  { name: 'create, encrypted', run: 'create', goal: 0.5 },
  { name: 'GET one Pod', run: 'getpod', goal: 0.3 },
  { name: 'create Pod', run: 'createpod', goal: 0.5 },
] as const;

const kbench = referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');

const folder = mkdtempSync(join(tmpdir(), 'audited-'));
const policyFile = join(folder, 'policy.yaml');
writeFileSync(policyFile, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n');
const encryptionFile = join(folder, 'encryption.yaml');
writeFileSync(
  encryptionFile,
  `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, configmaps]
  providers:
  - secretbox: { keys: [{ name: key1, secret: ${randomBytes(32).toString('base64')} }] }
  - identity: {}
`,
  { mode: 0o600 },
);
const flags = (side: string): string[] => [
  '--audit-policy-file',
  policyFile,
  '--audit-log-path',
  join(folder, `${side}.log`),
  '--encryption-provider-config',
  encryptionFile,
];

const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16', ...flags('ours')],
});
const reference = await startReference({ flags: flags('reference') });
const ours: Measured = { url: cluster.url, token: adminToken, pids: processTree(cluster.launcher.pid ?? 0) };
try {
  for (const { name, run, goal } of workloads) {
    const micros = { ours: [] as number[], reference: [] as number[] };
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const side of round % 2 === 0 ? (['ours', 'reference'] as const) : (['reference', 'ours'] as const)) {
        const server = side === 'ours' ? ours : reference;
        const figures = await runKbench(kbench, server, { run, protobuf: false }, Number(values.seconds));
        if (figures.errors !== '') throw new Error(`${name}, ${side}: ${figures.errors}`);
        // The first round warms both up.
        if (round > 0) micros[side].push(figures.cpuMicros);
      }
    }
    const [mine, theirs] = [median(micros.ours), median(micros.reference)];
    console.log(`${name}: ${mine} µs of ${theirs}, ${(mine / theirs).toFixed(2)} (goal ${goal})`);
  }
} finally {
  await cluster.close();
  await reference.close();
  rmSync(folder, { recursive: true, force: true });
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}
