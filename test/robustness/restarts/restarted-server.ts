import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { descendantsOf } from '#test/e2e/npm-start/process-tree.ts';
import { startReference } from '#test/reference.ts';

/** A server whose processes are killed, and started again on the same data with the same arguments. */
export interface RestartedServer {
  readonly name: string;
  readonly url: string;
  readonly kubeconfig: string;
  /** Folder of its certificates. */
  readonly pki: string;
  /** Kills all of its processes, or those of one name. */
  kill(process?: string): Promise<void>;
  /** Starts them again; does not wait. */
  start(): void;
  /** What its processes have written since the first restart. */
  output(): string;
  close(): Promise<void>;
}

/** This project's servers on the embedded store; `flags` are added. */
export async function startOwn(flags: readonly string[]): Promise<RestartedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'restarts-'));
  const cluster = await startCluster({ bundled: true, dataDir, flags, readyWithinMs: 60_000 });
  return new Restarted('quarterdeck', cluster, [cluster.launcher.pid ?? 0], dataDir, async () => {
    await cluster.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
}

/** The reference on an etcd of its own. */
export async function startUpstream(): Promise<RestartedServer> {
  const reference = await startReference();
  return new Restarted('kube-apiserver', reference, reference.pids, dirname(reference.kubeconfig), () =>
    reference.close(),
  );
}

interface Address {
  readonly url: string;
  readonly kubeconfig: string;
  readonly pki: string;
}

class Restarted implements RestartedServer {
  readonly name: string;
  readonly url: string;
  readonly kubeconfig: string;
  readonly pki: string;
  readonly #commands: readonly (readonly string[])[];
  readonly #log: string;
  readonly #remove: () => Promise<void>;
  #children: ChildProcess[] = [];
  #roots: readonly number[];

  constructor(
    name: string,
    { url, kubeconfig, pki }: Address,
    pids: readonly number[],
    folder: string,
    remove: () => Promise<void>,
  ) {
    this.name = name;
    this.url = url;
    this.kubeconfig = kubeconfig;
    this.pki = pki;
    this.#roots = pids;
    this.#commands = pids.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1));
    this.#log = join(folder, 'restarts.log');
    this.#remove = remove;
  }

  async kill(name?: string): Promise<void> {
    const processes = this.#roots.flatMap(descendantsOf);
    const killed = processes.filter(({ server }) => name === undefined || server === name);
    if (killed.length === 0) throw new Error(`no process ${name ?? 'of the server'} runs`);
    for (const { pid } of killed) process.kill(pid, 'SIGKILL');
    if (name !== undefined) return;
    await Promise.all(this.#children.map(untilExit));
  }

  start(): void {
    const log = openSync(this.#log, 'a');
    this.#children = this.#commands.map(([program = '', ...argv]) =>
      spawn(program, argv, { stdio: ['ignore', log, log], cwd: join(import.meta.dirname, '..', '..', '..') }),
    );
    this.#roots = this.#children.map((child) => child.pid ?? 0);
  }

  output(): string {
    try {
      return readFileSync(this.#log, 'utf8');
    } catch {
      return '';
    }
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGTERM');
    await Promise.all(this.#children.map(untilExit));
    await this.#remove();
  }
}

async function untilExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => child.once('exit', () => resolve()));
}
