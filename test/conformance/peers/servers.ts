import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ensureCertificates, ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths, type PkiPaths } from '#shared/process/data-directory.ts';
import { freePort } from '#test/free-port.ts';
import { sharedFlags } from '#test/reference-flags.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { ask } from './ask.ts';

export type Kind = 'ours' | 'reference';

/** One of several API servers on one etcd. */
export interface PeerProcess {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  log(): string;
  /** Ends it as its supervisor would. */
  close(): Promise<void>;
  /** Ends all of its processes at once. */
  kill(): Promise<void>;
}

/** What all servers of a cluster share: certificates, keys, tokens and etcd. */
export interface SharedCluster {
  readonly folder: string;
  readonly pki: PkiPaths;
  readonly tokens: string;
  readonly etcdUrl: string;
}

const bundle = join(process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '../../../dist'), 'quarterdeck.js');
const readyWithinMs = 90_000;

export async function sharedCluster(folder: string, etcdUrl: string): Promise<SharedCluster> {
  const pki = pkiPaths(join(folder, 'pki'));
  await ensureServiceAccountKeys(pki);
  ensureCertificates(pki, ['localhost', 'kubernetes.default.svc', '127.0.0.1', '10.0.0.1']);
  return { folder, pki, tokens: writeTokens(folder), etcdUrl };
}

/**
 * Starts a server under another name of the host, from which its id follows, and waits until it is ready. It needs
 * root.
 */
export async function startPeer(
  cluster: SharedCluster,
  kind: Kind,
  name: string,
  flags: readonly string[],
): Promise<PeerProcess> {
  const port = await freePort();
  const log = join(cluster.folder, `${name}.log`);
  const data = join(cluster.folder, name);
  mkdirSync(data, { recursive: true });
  const program =
    kind === 'ours'
      ? [process.execPath, bundle, '--data-dir', data]
      : [referenceProgram('kube-apiserver') ?? 'kube-apiserver'];
  const [unshare, ...onHost] = ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', name] as const;
  const file = openSync(log, 'a');
  const child = spawn(unshare, [...onHost, ...program, ...flagsOf(cluster, data, port), ...flags], {
    stdio: ['ignore', file, file],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  const url = `https://127.0.0.1:${port}`;
  const server: PeerProcess = {
    name,
    url,
    port,
    log: () => readFileSync(log, 'utf8'),
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
    async kill() {
      if (isRunning) for (const pid of [child.pid ?? 0, ...childrenOf(child.pid ?? 0)]) process.kill(pid, 'SIGKILL');
      await ended;
      await untilRefused(port);
    },
  };
  const deadline = performance.now() + readyWithinMs;
  while ((await ask(url, { path: '/readyz', token: adminToken }).catch(() => undefined))?.status !== 200) {
    if (!isRunning || performance.now() > deadline) throw new Error(`${name} did not get ready:\n${server.log()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return server;
}

/** Until no process has the port any more. */
async function untilRefused(port: number): Promise<void> {
  for (let isOpen = true; isOpen;)
    isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.destroy());
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
      socket.on('close', () => resolve(true));
    });
}

/** The launcher's children are in groups of their own. */
function childrenOf(parent: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [pid, of] = line.trim().split(/\s+/).map(Number);
    return of === parent && pid !== undefined ? [pid] : [];
  });
}

function flagsOf({ pki, tokens, etcdUrl }: SharedCluster, data: string, port: number): string[] {
  // Each trusts a file of its own, with the authority of all.
  const peers = join(data, 'peers.crt');
  copyFileSync(pki.caCert, peers);
  return [
    ...sharedFlags({ pki, tokens, etcdUrl, port }),
    '--authorization-mode=RBAC',
    '--requestheader-allowed-names=front-proxy-client',
    // A second name, which clients may try to use.
    '--requestheader-username-headers=X-Remote-User,X-Other-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--feature-gates=UnknownVersionInteroperabilityProxy=true,APIServerIdentity=true',
    `--peer-ca-file=${peers}`,
    // The reference reads --peer-advertise-ip and writes this address into its keys all the same.
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
  ];
}
