// The processor time of a GET with the token of a service account beside one of the token file, in turn:
//   node --import tsx test/benchmark/token-costs.ts [ROUNDS]
// Both users are bound to cluster-admin. REFERENCE_BIN names the folder of kbench.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { http2Client, type Answer } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { bobToken, writeTokens } from '#test/tokens.ts';
import { runKbench } from './kbench.ts';
import { processTree } from './processes.ts';

const rounds = Number(process.argv[2] ?? 5);
const secondsEach = 2;
const kbench = referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');

const folder = mkdtempSync(`${tmpdir()}/token-costs-`);
const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] });
const admin = http2Client(cluster);
try {
  await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'bench' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' },
      { kind: 'ServiceAccount', namespace: 'default', name: 'bench' },
    ],
  });
  await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bench' } });
  const issued = await post('/api/v1/namespaces/default/serviceaccounts/bench/token', { spec: {} });
  const tokens = { file: bobToken, account: issued.status.token as string };
  const pids = processTree(cluster.launcher.pid ?? 0);
  const micros = { file: [] as number[], account: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    // The order changes, so that neither profits from being the second.
    for (const kind of round % 2 === 0 ? (['file', 'account'] as const) : (['account', 'file'] as const)) {
      const server = { url: cluster.url, token: tokens[kind], pids };
      const { cpuMicros, errors } = await runKbench(kbench, server, { run: 'get', protobuf: false }, secondsEach);
      if (errors !== '') throw new Error(errors);
      if (round > 0) micros[kind].push(cpuMicros);
    }
  }
  const [file, account] = [median(micros.file), median(micros.account)];
  console.log(
    `token file ${file} µs (${micros.file.join(' ')}), service account ${account} µs (${micros.account.join(' ')})`,
  );
  console.log(`ratio ${(account / file).toFixed(3)}`);
} finally {
  admin.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

async function post(path: string, body: Record<string, unknown>): Promise<Answer['json']> {
  const { status, text, json } = await admin.send('POST', path, { body });
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  return json;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
