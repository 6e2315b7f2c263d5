import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { JsonClient } from '#test/json-client.ts';
import { startReference, type ReferenceServer } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { serverAt, type Server } from './exchange.ts';

/** One of the two servers that are compared, ready, with its clients. All of them are the administrator. */
export interface Side {
  readonly url: string;
  /** The folder of its certificates and keys. */
  readonly pki: string;
  readonly kubeconfig: string;
  readonly json: JsonClient;
  readonly server: Server;
  /** What the server wrote so far. */
  readonly output: () => string;
  readonly close: () => Promise<void>;
}

/** This server and the reference, started alike. */
export interface Pair {
  readonly ours: Side;
  readonly theirs: Side;
  readonly close: () => Promise<void>;
}

/** The addresses of the etcds of both, where their data outlives them. */
export interface Stores {
  readonly ours: string;
  readonly theirs: string;
}

export interface PairOptions {
  /** Of both. */
  readonly flags?: readonly string[];
  /** Of this server alone. */
  readonly ours?: readonly string[];
  /** Without them each server starts an etcd, or a store, of its own. */
  readonly stores?: Stores;
}

export interface OurOptions {
  readonly flags?: readonly string[];
  /** Kept when it ends; without it a temporary folder. */
  readonly dataDir?: string;
  readonly etcdUrl?: string;
}

/** As {@link startReference} starts the reference, where this server's defaults are others. */
const flagsOfReference = [
  '--service-cluster-ip-range=10.0.0.0/16',
  '--allow-privileged=true',
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
];

function sideOf(started: Cluster | ReferenceServer, close: () => Promise<void>): Side {
  const { url, pki, kubeconfig } = started;
  const output = (): string => started.output();
  const json = new JsonClient(url, adminToken);
  return { url, pki, kubeconfig, json, server: serverAt(url, adminToken), output, close };
}

/** The bundles of this server, as the reference is started. */
export async function startOurs({ flags = [], dataDir, etcdUrl }: OurOptions = {}): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'ours-'));
  const cluster = await startCluster({
    bundled: true,
    ...(dataDir === undefined ? {} : { dataDir }),
    flags: [
      '--token-auth-file',
      writeTokens(folder),
      ...flagsOfReference,
      ...(etcdUrl === undefined ? [] : ['--etcd-servers', etcdUrl]),
      ...flags,
    ],
  });
  return sideOf(cluster, async () => {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

export async function startTheirs(flags: readonly string[] = [], etcdUrl?: string): Promise<Side> {
  const reference = await startReference({ flags, ...(etcdUrl === undefined ? {} : { etcdUrl }) });
  return sideOf(reference, () => reference.close());
}

/** Rejects with the output of what does not come up; the other one is ended then. */
export async function startPair({ flags = [], ours = [], stores }: PairOptions = {}): Promise<Pair> {
  const sides = await Promise.allSettled([
    startOurs({ flags: [...flags, ...ours], ...(stores === undefined ? {} : { etcdUrl: stores.ours }) }),
    startTheirs(flags, stores?.theirs),
  ]);
  const close = async (): Promise<void> => {
    await Promise.all(sides.map(async (one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
  };
  const [here, there] = sides;
  if (here.status === 'rejected' || there.status === 'rejected') {
    await close();
    const reasons = sides.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
    throw new Error(`${flags.join(' ')}: ${reasons.join('\n')}`);
  }
  return { ours: here.value, theirs: there.value, close };
}

/** The servers at two addresses, which run already and stay; where one address is missing, a pair is started. */
export async function serversAt(
  { ours, reference }: { readonly ours?: string | undefined; readonly reference?: string | undefined },
  token: string,
  options?: PairOptions,
): Promise<{ readonly ours: Server; readonly theirs: Server; close(): Promise<void> }> {
  if (ours !== undefined && reference !== undefined)
    return { ours: serverAt(ours, token), theirs: serverAt(reference, token), close: async () => {} };
  const pair = await startPair(options);
  return { ours: pair.ours.server, theirs: pair.theirs.server, close: () => pair.close() };
}
