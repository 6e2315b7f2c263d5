import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '#servers/launcher/pki/kubeconfig.ts';
import { ensureCertificates, ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { freePort } from './free-port.ts';
import { startProgram } from './program.ts';
import { sharedFlags } from './reference-flags.ts';
import { adminToken, writeTokens } from './tokens.ts';

/** A kube-apiserver of the upstream project, for comparison. */
export interface ReferenceServer {
  readonly url: string;
  /** Client certificate of an administrator in system:masters. */
  readonly kubeconfig: string;
  /** Certificates and keys, laid out as `<data-dir>/pki`. */
  readonly pki: string;
  readonly token: string;
  /** Milliseconds from the start of etcd, or of the server when etcd was given, to /readyz. */
  readonly readyMs: number;
  /** Of every process that this started, etcd included. */
  readonly pids: readonly number[];
  /** Resolves with the exit code of the server. */
  readonly ended: Promise<number | null>;
  /** What the server wrote so far. */
  output(): string;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

export interface EtcdServer {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

export interface ReferenceOptions {
  /** Uses this etcd, which stays; without it one is started. */
  readonly etcdUrl?: string;
  readonly flags?: readonly string[];
  /** Default: `--authorization-mode=Node,RBAC`. */
  readonly authorization?: readonly string[];
}

export type ReferenceProgram =
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  | 'helm'
  | 'etcd'
  | 'kubectl'
  | 'kubectl-convert'
  | 'kbench'
  | 'sample-apiserver'
  | 'metrics-server'
  | 'e2e.test';

/** Path of an upstream program: below `REFERENCE_BIN`, or where a reference was built for the user before. */
export function referenceProgram(name: ReferenceProgram): string | undefined {
  const folder =
    process.env['REFERENCE_BIN'] ??
    join(process.env['REFERENCE_ROOT'] ?? join(homedir(), '.cache', 'kubernetes-reference'), 'bin');
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}

export async function startEtcd(program: string, dataDir: string): Promise<EtcdServer> {
  mkdirSync(dataDir, { recursive: true });
  const [client, peer] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const child = startProgram(
    program,
    [
      '--data-dir',
      join(dataDir, 'data'),
      '--listen-client-urls',
      url,
      '--advertise-client-urls',
      url,
      '--listen-peer-urls',
      peerUrl,
      '--initial-advertise-peer-urls',
      peerUrl,
      '--initial-cluster',
      `default=${peerUrl}`,
      '--log-level',
      'error',
    ],
    join(dataDir, 'etcd.log'),
  );
  await child.until(async () => (await fetch(`${url}/health`)).ok);
  return { url, pid: child.pid, close: () => child.close() };
}

/** Starts the reference as the cluster of `startCluster` runs: TLS, tokens, Node and RBAC, aggregation. */
export async function startReference(options: ReferenceOptions = {}): Promise<ReferenceServer> {
  const [server, etcdProgram] = [referenceProgram('kube-apiserver'), referenceProgram('etcd')];
  if (server === undefined || (etcdProgram === undefined && options.etcdUrl === undefined))
    throw new Error('REFERENCE_BIN holds no kube-apiserver with etcd');
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  const pki = pkiPaths(join(folder, 'pki'));
  await ensureServiceAccountKeys(pki);
  ensureCertificates(pki, ['localhost', '127.0.0.1', '10.0.0.1']);
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const kubeconfig = join(folder, 'kubeconfig');
  writeKubeconfig(kubeconfig, url, pki);
  const started = performance.now();
  const etcd = options.etcdUrl === undefined ? await startEtcd(etcdProgram ?? '', join(folder, 'etcd')) : undefined;
  const child = startProgram(
    server,
    [
      ...sharedFlags({
        pki,
        tokens: writeTokens(folder),
        etcdUrl: options.etcdUrl ?? etcd?.url ?? '',
        port,
      }),
      ...(options.authorization ?? ['--authorization-mode=Node,RBAC']),
      '--allow-privileged=true',
      '--enable-aggregator-routing=true',
      '--requestheader-allowed-names',
      'front-proxy-client',
      '--requestheader-username-headers',
      'X-Remote-User',
      '--requestheader-group-headers',
      'X-Remote-Group',
      '--requestheader-extra-headers-prefix',
      'X-Remote-Extra-',
      ...(options.flags ?? []),
    ],
    join(folder, 'kube-apiserver.log'),
  );
  const close = async (): Promise<void> => {
    await child.close();
    await etcd?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await child.until(() => isReady(`${url}/readyz`, readFileSync(pki.caCert)));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    kubeconfig,
    pki: pki.directory,
    token: adminToken,
    readyMs: performance.now() - started,
    pids: [child.pid, ...(etcd ? [etcd.pid] : [])],
    ended: child.ended,
    output: () => readFileSync(join(folder, 'kube-apiserver.log'), 'utf8'),
    close,
  };
}

function isReady(url: string, ca: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    request(url, { ca, headers: { authorization: `Bearer ${adminToken}` } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    })
      .on('error', reject)
      .end();
  });
}
