import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

export type KmsVersion = 'v1' | 'v2';

/** What the plugin does (`test/recorders/clients/kms-plugin`). */
export interface PluginState {
  readonly keyId: string;
  /** Of answers of Encrypt; default: keyId. */
  readonly encryptKeyId?: string;
  readonly healthz: string;
  readonly version: string;
  /** Before each answer. */
  readonly delayMs?: number;
  /** A method that fails. */
  readonly failing?: 'Status' | 'Encrypt' | 'Decrypt' | 'Version' | '';
}

/** The plugin of k8s.io/kms in a process of its own, on a Unix socket. */
export class GoPlugin {
  readonly endpoint: string;
  readonly #program: string;
  readonly #version: KmsVersion;
  readonly #socket: string;
  readonly #folder: string;
  #state: PluginState;
  #child: ChildProcess | undefined;

  constructor(program: string, version: KmsVersion, folder: string) {
    this.#program = program;
    this.#version = version;
    this.#folder = folder;
    this.#socket = join(folder, `kms-${version}.sock`);
    this.endpoint = `unix://${this.#socket}`;
    this.#state = { keyId: '1', healthz: 'ok', version: version === 'v1' ? 'v1beta1' : 'v2' };
    this.set({});
  }

  /** Changes some of what it does; what is undefined is as at the beginning. */
  set(change: Partial<PluginState>): void {
    this.#state = { ...this.#state, delayMs: 0, ...change };
    const path = this.#statePath;
    writeFileSync(`${path}.new`, JSON.stringify(this.#state));
    renameSync(`${path}.new`, path);
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const log = openSync(join(this.#folder, 'plugin.log'), 'a');
    this.#child = spawn(this.#program, [this.#version, this.#socket, this.#statePath], {
      stdio: ['ignore', log, log],
    });
    while (!(await accepts(this.#socket))) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** By SIGKILL, which leaves the socket. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.kill('SIGKILL') === true) await once(child, 'exit');
  }

  get #statePath(): string {
    return join(this.#folder, `state-${this.#version}.json`);
  }
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Builds the plugin into a folder. */
export function buildPlugin(folder: string): string {
  const program = join(folder, 'kms-plugin');
  const { status } = spawnSync('go', ['build', '-o', program, './clients/kms-plugin'], {
    cwd: join(import.meta.dirname, '..', '..', 'recorders'),
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the KMS plugin could not be built');
  return program;
}
