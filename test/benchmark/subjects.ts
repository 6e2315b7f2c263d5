import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram, startEtcd, startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';

/** A server with data of its own that can be stopped and started again on them. */
export interface Subject {
  start(): Promise<RunningSubject>;
  /** Removes the data. */
  end(): Promise<void>;
}

export interface RunningSubject {
  readonly url: string;
  /** From the start of the first process to /readyz. */
  readonly readyMs: number;
  /** By what the process is called; the database last. */
  readonly pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** This server: the bundles, with the embedded store. */
export function ours(): Subject {
  const folder = mkdtempSync(join(tmpdir(), 'subject-'));
  const flags = ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'];
  return {
    async start() {
      const started = performance.now();
      const cluster = await startCluster({
        bundled: true,
        dataDir: join(folder, 'data'),
        flags,
        readyWithinMs: 120_000,
      });
      const readyMs = performance.now() - started;
      const pids = Object.fromEntries(
        (['gateway', 'extensions', 'core', 'store'] as const).map((name) => [name, processOf(cluster, name) ?? 0]),
      );
      return {
        url: cluster.url,
        readyMs,
        pids: { launcher: cluster.launcher.pid ?? 0, ...pids },
        stop: () => cluster.close(),
      };
    },
    end: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  };
}

/** The reference with its etcd, which stays when the server stops. */
export async function reference(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'subject-'));
  const etcd = await startEtcd(referenceProgram('etcd') ?? '', folder);
  return {
    async start() {
      const server = await startReference({ etcdUrl: etcd.url });
      return {
        url: server.url,
        readyMs: server.readyMs,
        pids: { apiserver: server.pids[0] ?? 0, etcd: etcd.pid },
        stop: () => server.close(),
      };
    },
    async end() {
      await etcd.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs kbench against a subject; answers what it printed. */
export async function kbenchOn(server: RunningSubject, args: readonly string[]): Promise<string> {
  const pids = Object.values(server.pids).join(',');
  const { stdout } = await promisify(execFile)(referenceProgram('kbench') ?? 'kbench', [
    '-server',
    server.url,
    '-token',
    adminToken,
    '-pids',
    pids,
    ...args,
  ]);
  return stdout;
}

/** A number in what kbench printed: `CPU` of an operation in µs, `MiB` in all, `KiB` of each object or watch. */
export function figureIn(output: string, what: 'CPU' | 'MiB' | 'KiB'): number {
  const pattern = { CPU: /server CPU\s+(\d+) us\/op/, MiB: /mem\s+(\d+) MiB/, KiB: /(-?[\d.]+) KiB each/ }[what];
  const match = pattern.exec(output);
  if (match === null || /ERRORS|failed/.test(output)) throw new Error(`kbench: ${output}`);
  return Number(match[1]);
}
