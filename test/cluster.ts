import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

/** A whole cluster API of its own: store, core and gateway in processes, on a free port, with data of its own. */
export interface Cluster {
  readonly url: string;
  /** Of an administrator in system:masters. */
  readonly kubeconfig: string;
  readonly dataDir: string;
  /** Certificates and keys, as `<data-dir>/pki`. */
  readonly pki: string;
  readonly launcher: ChildProcess;
  /** What the processes wrote so far. */
  output(): string;
  /** Ends everything and removes the data. */
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** Further flags. */
  readonly flags?: readonly string[];
  /** The bundles of `dist/` instead of the sources; QUARTERDECK_DIST names the folder of others, for all clusters. */
  readonly bundled?: boolean;
  /** Keeps the data; without it a temporary folder is made and removed. */
  readonly dataDir?: string;
  readonly readyWithinMs?: number;
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Otherwise clusters with open watches end a minute after they are told to, as the reference does. */
const quickEnd = '--shutdown-watch-termination-grace-period=1s';
const readyLine = /quarterdeck is ready at (\S+) after \d+ ms, KUBECONFIG=([^"\n]+)/;

/** Starts a cluster and waits until it is ready. Rejects with the output of the processes when it does not come up. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'quarterdeck-'));
  const program =
    options.bundled === true || process.env['QUARTERDECK_DIST'] !== undefined
      ? [join(process.env['QUARTERDECK_DIST'] ?? join(root, 'dist'), 'quarterdeck.js')]
      : ['--import', 'tsx', join(root, 'servers', 'launcher', 'main.ts')];
  const launcher = spawn(
    process.execPath,
    [...program, '--data-dir', dataDir, '--secure-port', String(await freePort()), quickEnd, ...(options.flags ?? [])],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  const exited = new Promise<void>((resolve) => launcher.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    launcher.kill('SIGTERM');
    await exited;
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const ready = Promise.withResolvers<RegExpExecArray>();
  const timer = setTimeout(
    () => ready.reject(new Error(`the cluster was not ready in time:\n${text}`)),
    options.readyWithinMs ?? 30_000,
  );
  void exited.then(() => ready.reject(new Error(`the cluster ended before it was ready:\n${text}`)));
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const match = readyLine.exec(text);
      if (match) ready.resolve(match);
    });
  }
  try {
    const [, url = '', kubeconfig = ''] = await ready.promise;
    return { url, kubeconfig, dataDir, pki: join(dataDir, 'pki'), launcher, output: () => text, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
