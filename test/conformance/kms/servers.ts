import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCertificates, ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths, type PkiPaths } from '#shared/process/data-directory.ts';
import { freePort } from '#test/free-port.ts';
import { JsonClient, type JsonAnswer } from '#test/json-client.ts';
import { startProgram, type Program } from '#test/program.ts';
import { referenceProgram, startEtcd, type EtcdServer } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import type { GoPlugin, KmsVersion } from './plugin.ts';

/** Where the Secrets of this comparison are. */
export const secrets = '/api/v1/namespaces/default/secrets';

/** One of those compared, and where its data lies. */
export interface Contestant {
  readonly name: string;
  readonly isReference: boolean;
  /** Undefined: the embedded store. */
  readonly etcd: EtcdServer | undefined;
  readonly folder: string;
}

export type Ask = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  object?: unknown,
) => Promise<JsonAnswer>;

/** A server that runs, and need not be ready. */
export interface RunningServer extends Contestant {
  /** Status 0 where there is no answer. */
  readonly ask: Ask;
  log(): string;
  close(): Promise<void>;
}

const bundle = join(process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '../../../dist'), 'quarterdeck.js');

/** The reference and this server over one etcd each, and this server over its own store. */
export async function threeContestants(folder: string): Promise<Contestant[]> {
  const etcds = await Promise.all(['reference', 'ours'].map((name) => etcdIn(join(folder, `${name}-etcd`))));
  const of = (name: string, etcd: EtcdServer | undefined): Contestant => ({
    name,
    isReference: name === 'reference',
    etcd,
    folder: join(folder, name),
  });
  return [of('reference', etcds[0]), of('ours', etcds[1]), of('ours-embedded', undefined)];
}

/** The reference and this server, which share an etcd. */
export async function twoOfOneStore(folder: string): Promise<Contestant[]> {
  const etcd = await etcdIn(join(folder, 'etcd'));
  return ['reference', 'ours'].map((name) => ({
    name,
    isReference: name === 'reference',
    etcd,
    folder: join(folder, name),
  }));
}

export async function endContestants(contestants: readonly Contestant[]): Promise<void> {
  for (const etcd of new Set(contestants.map((contestant) => contestant.etcd))) await etcd?.close();
  for (const { folder } of contestants) rmSync(folder, { recursive: true, force: true });
}

function etcdIn(folder: string): Promise<EtcdServer> {
  return startEtcd(referenceProgram('etcd') ?? '', folder);
}

/** Starts a server on the data that it had before. */
export async function startServer(contestant: Contestant, flags: readonly string[]): Promise<RunningServer> {
  const { folder, isReference } = contestant;
  mkdirSync(folder, { recursive: true });
  const pki = pkiPaths(join(folder, 'pki'));
  await ensureServiceAccountKeys(pki);
  ensureCertificates(pki, ['localhost', '127.0.0.1', '10.0.0.1']);
  const port = await freePort();
  const [program, ...argv] = isReference
    ? [referenceProgram('kube-apiserver') ?? '', ...flagsOfReference(contestant, pki)]
    : [process.execPath, bundle, '--data-dir', folder, ...flagsOfOurs(contestant)];
  const log = join(folder, 'server.log');
  const always = [
    `--secure-port=${port}`,
    `--token-auth-file=${writeTokens(folder)}`,
    '--service-cluster-ip-range=10.0.0.0/16',
    '--authorization-mode=RBAC',
    '--endpoint-reconciler-type=none',
  ];
  const child = startProgram(program, [...argv, ...always, ...flags], log);
  return running(contestant, child, `https://127.0.0.1:${port}`, log);
}

function running(contestant: Contestant, child: Program, url: string, log: string): RunningServer {
  const client = new JsonClient(url, adminToken);
  return {
    ...contestant,
    ask: (...request) => client.call(...request).catch((error: unknown) => ({ status: 0, body: String(error) })),
    log: () => readFileSync(log, 'utf8'),
    async close() {
      await client.close();
      await child.close();
    },
  };
}

function flagsOfReference({ etcd }: Contestant, pki: PkiPaths): string[] {
  return [
    `--etcd-servers=${etcd?.url}`,
    '--bind-address=127.0.0.1',
    `--tls-cert-file=${pki.servingCert}`,
    `--tls-private-key-file=${pki.servingKey}`,
    `--client-ca-file=${pki.caCert}`,
    `--service-account-key-file=${pki.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${pki.serviceAccountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  ];
}

function flagsOfOurs({ etcd }: Contestant): string[] {
  const quickEnd = '--shutdown-watch-termination-grace-period=1s';
  return etcd === undefined ? [quickEnd] : [quickEnd, `--etcd-servers=${etcd.url}`];
}

/** Writes a file in which the plugin encrypts Secrets, and says the flags for it. */
export function flagsFor({ endpoint }: GoPlugin, version: KmsVersion, folder: string): string[] {
  const file = join(folder, 'encryption.yaml');
  writeFileSync(
    file,
    `kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: ${version}, name: go, endpoint: '${endpoint}', timeout: 1s}
  - identity: {}
`,
  );
  return [`--encryption-provider-config=${file}`, ...(version === 'v1' ? ['--feature-gates=KMSv1=true'] : [])];
}
