// CPU of the gateway for a GET that goes to a registered API server, beside that of the reference:
//   node --import tsx test/benchmark/aggregated.ts [seconds=5]
// Needs kbench and the upstream sample-apiserver in $REFERENCE_BIN, and the bundles of dist/. The same
// sample-apiserver, with its objects in our store, stands behind both in turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { openApi } from '#test/e2e/registered-servers/api-access.ts';
import { Background, writeServerFiles } from '#test/e2e/registered-servers/extension-server.ts';
import { Kubectl } from '#test/e2e/registered-servers/kubectl.ts';
import { identityObjects, registrationObjects } from '#test/e2e/registered-servers/registration.ts';
import { upstreamSample } from '#test/e2e/registered-servers/samples.ts';
import { freePort } from '#test/free-port.ts';
import { referenceProgram, startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { runKbench } from './kbench.ts';

const rounds = 3;
const path = '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders/first';
const seconds = Number(process.argv[2] ?? 5);
const program = (name: Parameters<typeof referenceProgram>[0]): string => {
  const found = referenceProgram(name);
  if (found === undefined) throw new Error(`$REFERENCE_BIN holds no ${name}`);
  return found;
};

interface Candidate {
  readonly name: string;
  readonly url: string;
  readonly kubeconfig: string;
  /** Of the process that forwards. */
  readonly pid: number;
}

const folder = mkdtempSync(join(tmpdir(), 'aggregated-'));
const closing: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const storeUrl = `http://127.0.0.1:${await freePort()}`;
  const bundles = process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '../../dist');
  const store = new Background(
    [
      process.execPath,
      join(bundles, 'quarterdeck.js'),
      'store',
      '--data-dir',
      join(folder, 'store'),
      '--listen-client-urls',
      storeUrl,
    ],
    join(folder, 'store.log'),
  );
  closing.push(() => store.end('SIGTERM'));
  await store.listening('127.0.0.1', Number(new URL(storeUrl).port));
  const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] });
  closing.push(() => cluster.close());
  const reference = await startReference({ flags: ['--enable-aggregator-routing=false'] });
  closing.push(() => reference.close());
  const candidates: Candidate[] = [
    { name: 'ours', ...cluster, pid: processOf(cluster, 'gateway') ?? 0 },
    { name: 'reference', ...reference, pid: reference.pids[0] ?? 0 },
  ];
  for (const candidate of candidates) await register(candidate, storeUrl);
  const micros = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const { name, url, pid } of candidates) {
      const figures = await runKbench(
        program('kbench'),
        { url, token: adminToken, pids: [pid] },
        { run: 'agg', protobuf: false },
        seconds,
        ['-aggpath', path],
      );
      // The first round warms up.
      if (round > 0) micros.set(name, [...(micros.get(name) ?? []), figures.cpuMicros]);
      console.log(
        `${name}: ${figures.cpuMicros} µs of CPU in the forwarding process, p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms, ${figures.perSecond} a second ${figures.errors}`,
      );
    }
  }
  const median = (name: string): number =>
    (micros.get(name) ?? []).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  console.log(
    `aggregated GET: ${median('ours')} µs of ${median('reference')} µs, ratio ${(median('ours') / median('reference')).toFixed(2)}`,
  );
} finally {
  for (const close of closing.toReversed()) await close();
}

/** Starts a sample-apiserver of its own and registers it behind an external name. */
async function register({ kubeconfig }: Candidate, storeUrl: string): Promise<void> {
  const kubectl = new Kubectl(program('kubectl'), kubeconfig);
  const api = await openApi(kubectl, adminToken);
  closing.push(() => {
    kubectl.close();
    api.close();
  });
  const server = upstreamSample(program('sample-apiserver'), storeUrl);
  await kubectl.apply(...identityObjects(server));
  const token = (await kubectl.must('create', 'token', server.name, '-n', server.name)).trim();
  const ca = await createTestCa('CN=extension-ca');
  const serving = await ca.issue('CN=wardle', 'server', undefined, 'wardle.wardle.svc');
  const at = { host: '127.0.0.1', port: await freePort() };
  const files = writeServerFiles({
    apiUrl: api.url,
    apiCa: api.caFile,
    token,
    cert: serving.cert,
    key: serving.key,
    ...at,
  });
  const running = new Background(server.command(files), join(files.folder, 'server.log'));
  closing.push(async () => {
    await running.end('SIGKILL');
    files.remove();
  });
  await running.listening(at.host, at.port);
  await kubectl.apply(...registrationObjects(server, 'ExternalName', { ...at, caBundle: ca.cert }));
  await kubectl.must('wait', '--for=condition=Available', '--timeout=60s', 'apiservice/v1alpha1.wardle.example.com');
  const found = await kubectl.run('get', 'flunders.wardle.example.com', 'first');
  if (found.code !== 0)
    await kubectl.apply({
      apiVersion: 'wardle.example.com/v1alpha1',
      kind: 'Flunder',
      metadata: { name: 'first', namespace: 'default' },
    });
}
