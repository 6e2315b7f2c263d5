// Extension API servers are registered, used with kubectl, killed and started again:
//   node --import tsx test/e2e/registered-servers/run.ts [--reference]
// Once behind a Service of type ExternalName and once, with --enable-aggregator-routing, behind EndpointSlices. These
// may hold no loopback address, so the second half runs in a network of its own (unshare). `--reference` does the same
// with the upstream kube-apiserver. The upstream sample-apiserver and metrics-server are left out where they were not
// built (build.sh, REFERENCE_BIN).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { freePort } from '#test/free-port.ts';
import { inOwnNetwork, ownAddress } from '#test/own-network.ts';
import { referenceProgram, startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { openApi } from './api-access.ts';
import { Background } from './extension-server.ts';
import type { ExtensionServer } from './extension-server.ts';
import { Kubectl } from './kubectl.ts';
import type { Routing } from './registration.ts';
import { metricsServer, typescriptSample, upstreamSample } from './samples.ts';
import { runScenario } from './scenario.ts';

const routings: readonly Routing[] = ['ExternalName', 'EndpointSlice'];
const root = join(import.meta.dirname, '../../..');

interface Started {
  readonly kubeconfig: string;
  close(): Promise<void>;
}

async function startApi(routing: Routing, folder: string): Promise<Started> {
  const flags = [
    `--enable-aggregator-routing=${routing === 'EndpointSlice'}`,
    ...(routing === 'EndpointSlice' ? ['--advertise-address', ownAddress] : []),
  ];
  if (process.argv.includes('--reference')) return await startReference({ flags });
  return await startCluster({ flags: ['--token-auth-file', writeTokens(folder), ...flags], bundled: true });
}

async function runAll(routing: Routing, kubectlProgram: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registered-servers-'));
  const storePort = await freePort();
  const storeUrl = `http://127.0.0.1:${storePort}`;
  const store = new Background(
    [
      process.execPath,
      join(process.env['QUARTERDECK_DIST'] ?? join(root, 'dist'), 'quarterdeck.js'),
      'store',
      '--data-dir',
      join(folder, 'store'),
      '--listen-client-urls',
      storeUrl,
    ],
    join(folder, 'store.log'),
  );
  const cluster = await startApi(routing, folder);
  const kubectl = new Kubectl(kubectlProgram, cluster.kubeconfig);
  const api = await openApi(kubectl, adminToken);
  try {
    await store.listening('127.0.0.1', storePort);
    for (const server of servers(storeUrl)) {
      const say = (line: string): void => console.log(`${routing}, ${server.name}: ${line}`);
      await runScenario({
        kubectl,
        server,
        routing,
        api,
        host: routing === 'EndpointSlice' ? ownAddress : '127.0.0.1',
        say,
      });
    }
  } finally {
    kubectl.close();
    api.close();
    await cluster.close();
    await store.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

function servers(storeUrl: string): ExtensionServer[] {
  const built = (
    name: 'sample-apiserver' | 'metrics-server',
    make: (program: string) => ExtensionServer,
  ): ExtensionServer[] => {
    const program = referenceProgram(name);
    if (program === undefined) console.log(`!!! LEFT OUT: ${name}, which was not built`);
    return program === undefined ? [] : [make(program)];
  };
  return [
    ...built('sample-apiserver', (program) => upstreamSample(program, storeUrl)),
    typescriptSample,
    ...built('metrics-server', metricsServer),
  ];
}

const kubectlProgram = referenceProgram('kubectl') ?? 'kubectl';
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
for (const routing of routings.filter((candidate) => only === undefined || candidate === only)) {
  if (routing === 'EndpointSlice' && only === undefined) {
    const code = inOwnNetwork(import.meta.filename, [...process.argv.slice(2), `--only=${routing}`]);
    if (code !== undefined && code !== 0) process.exitCode = 1;
    if (code === undefined)
      console.log('!!! LEFT OUT: servers behind EndpointSlices: no network of our own may be made here');
  } else await runAll(routing, kubectlProgram);
}
