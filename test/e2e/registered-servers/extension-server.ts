import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What a server needs to be started: files and where to listen. */
export interface ServerFiles {
  readonly apiUrl: string;
  readonly apiCa: string;
  readonly token: string;
  /** A kubeconfig with that token. */
  readonly kubeconfig: string;
  readonly cert: string;
  readonly key: string;
  readonly host: string;
  readonly port: number;
  /** For the server's own data. */
  readonly folder: string;
}

/** An API server that is registered and used. Each has a namespace and a service account of its name. */
export interface ExtensionServer {
  readonly name: string;
  readonly group: string;
  readonly versions: readonly string[];
  readonly resource: string;
  readonly kind: string;
  /** An object without metadata. */
  readonly example: object;
  /** Nothing can be written to it. */
  readonly readOnly?: boolean;
  /** What `kubectl explain` must show. */
  readonly explained: RegExp;
  /** Further rules that its service account needs. */
  readonly rules: readonly object[];
  /** The program and its arguments; runs once before the first start what must be there as well. */
  command(files: ServerFiles): readonly string[];
}

/** A program in the background whose output goes to a file. */
export class Background {
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #exited: Promise<void>;
  #running = true;

  constructor([program = '', ...argv]: readonly string[], log: string) {
    this.#log = log;
    const file = openSync(log, 'a');
    this.#child = spawn(program, argv, { stdio: ['ignore', file, file] });
    this.#exited = new Promise((resolve) => this.#child.once('exit', () => resolve()).once('error', () => resolve()));
    void this.#exited.then(() => {
      this.#running = false;
    });
  }

  /** Resolves when it listens. */
  async listening(host: string, port: number): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!(await accepts(host, port))) {
      if (!this.#running || Date.now() > deadline)
        throw new Error(`it does not listen on ${host}:${port}:\n${readFileSync(this.#log, 'utf8').slice(-3000)}`);
      await pause(50);
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    await this.#exited;
  }
}

/** A folder with what a server reads at its start. */
export function writeServerFiles(options: {
  readonly apiUrl: string;
  readonly apiCa: string;
  readonly token: string;
  readonly cert: string;
  readonly key: string;
  readonly host: string;
  readonly port: number;
}): ServerFiles & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'extension-server-'));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'api',
    clusters: [{ name: 'api', cluster: { server: options.apiUrl, 'certificate-authority': options.apiCa } }],
    users: [{ name: 'server', user: { token: options.token } }],
    contexts: [{ name: 'api', context: { cluster: 'api', user: 'server' } }],
  };
  return {
    apiUrl: options.apiUrl,
    apiCa: options.apiCa,
    host: options.host,
    port: options.port,
    folder,
    token: file('token', options.token),
    kubeconfig: file('kubeconfig', JSON.stringify(kubeconfig)),
    cert: file('tls.crt', options.cert),
    key: file('tls.key', options.key),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => resolve(false));
  });
}
