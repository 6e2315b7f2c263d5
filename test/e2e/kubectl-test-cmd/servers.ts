import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { startCluster } from '#test/cluster.ts';
import { freePort } from '#test/free-port.ts';
import { startProgram } from '#test/program.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import type { ScriptsCopy } from './scripts-copy.ts';

export type Side = 'reference' | 'quarterdeck';

/** A server with upstream's controller manager, as the scripts expect them. */
export interface Servers {
  readonly apiPort: string;
  readonly managerPort: string;
  close(): Promise<void>;
}

interface ApiServer {
  readonly port: string;
  close(): Promise<void>;
}

/** Of the file hack/testdata/auth-tokens.csv. */
const adminToken = 'admin-token';

/** Starts the servers of one side, with the flags that upstream's hack/make-rules/test-cmd.sh gives them. */
export async function startServers(side: Side, copy: ScriptsCopy): Promise<Servers> {
  const folder = mkdtempSync(join(copy.folder, 'servers-'));
  const opened: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.toReversed()) await each.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const flags = await apiServerFlags(copy, folder);
    const api = side === 'reference' ? await startKubeApiserver(flags, folder) : await startQuarterdeck(flags);
    opened.push(api);
    const manager = await startControllerManager(api.port, copy, folder);
    opened.push(manager);
    await createNode(api.port);
    return { apiPort: api.port, managerPort: manager.port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function apiServerFlags(copy: ScriptsCopy, folder: string): Promise<string[]> {
  const pki = pkiPaths(join(folder, 'pki'));
  await ensureServiceAccountKeys(pki);
  return [
    '--bind-address=127.0.0.1',
    '--authorization-mode=RBAC,AlwaysAllow',
    '--feature-gates=',
    '--enable-admission-plugins=LimitRanger,ResourceQuota',
    '--disable-admission-plugins=ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,StorageObjectInUseProtection',
    '--runtime-config=api/v1',
    `--service-account-key-file=${pki.serviceAccountKey}`,
    '--service-account-lookup=true',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${pki.serviceAccountKey}`,
    '--storage-media-type=',
    `--cert-dir=${copy.temporary}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    `--client-ca-file=${join(copy.folder, 'hack/testdata/ca/ca.crt')}`,
    `--token-auth-file=${join(copy.folder, 'hack/testdata/auth-tokens.csv')}`,
  ];
}

async function startKubeApiserver(flags: readonly string[], folder: string): Promise<ApiServer> {
  const etcd = await startEtcd(referenceProgram('etcd') ?? 'etcd', join(folder, 'etcd'));
  const port = String(await freePort());
  const child = startProgram(
    referenceProgram('kube-apiserver') ?? 'kube-apiserver',
    [`--secure-port=${port}`, `--etcd-servers=${etcd.url}`, ...flags],
    join(folder, 'kube-apiserver.log'),
  );
  const close = async (): Promise<void> => {
    await child.close();
    await etcd.close();
  };
  try {
    await child.until(async () => (await call(port, 'GET', '/readyz')) === 200);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

async function startQuarterdeck(flags: readonly string[]): Promise<ApiServer> {
  const cluster = await startCluster({ bundled: true, flags });
  return { port: new URL(cluster.url).port, close: () => cluster.close() };
}

async function startControllerManager(apiPort: string, copy: ScriptsCopy, folder: string): Promise<ApiServer> {
  const kubeconfig = join(folder, 'controller-manager.kubeconfig');
  const server = `https://127.0.0.1:${apiPort}`;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      kind: 'Config',
      users: [{ name: 'manager', user: { token: adminToken } }],
      clusters: [{ name: 'local', cluster: { server, 'insecure-skip-tls-verify': true } }],
      contexts: [{ name: 'local', context: { cluster: 'local', user: 'manager' } }],
      'current-context': 'local',
    }),
  );
  const port = String(await freePort());
  const child = startProgram(
    referenceProgram('kube-controller-manager') ?? 'kube-controller-manager',
    [
      '--kube-api-content-type=',
      `--cluster-signing-cert-file=${join(copy.folder, 'hack/testdata/ca/ca.crt')}`,
      `--cluster-signing-key-file=${join(copy.folder, 'hack/testdata/ca/ca.key')}`,
      `--kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
    ],
    join(folder, 'kube-controller-manager.log'),
  );
  try {
    await child.until(async () => (await call(port, 'GET', '/healthz')) === 200);
  } catch (error) {
    await child.close();
    throw error;
  }
  return { port, close: () => child.close() };
}

/** The scripts expect this node, though there is no kubelet. */
async function createNode(apiPort: string): Promise<void> {
  const code = await call(apiPort, 'POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    // With an annotation there is a field that somebody manages.
    metadata: { name: '127.0.0.1', annotations: { 'save-managers': 'true' } },
    status: { capacity: { memory: '1Gi' } },
  });
  if (code !== 201) throw new Error(`the node could not be created: ${code}`);
}

/** The status code of one request to a server whose certificate is its own. */
function call(port: string, method: string, path: string, body?: unknown): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false }, (answer) => {
    answer.resume();
    answer.on('end', () => resolve(answer.statusCode ?? 0));
  });
  outgoing.on('error', reject);
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
