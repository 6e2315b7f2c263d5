import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ScriptsCopy } from './scripts-copy.ts';
import { startServers, type Servers, type Side } from './servers.ts';

export interface Outcome {
  readonly passed: boolean;
  /** What the script printed, without colours. */
  readonly output: string;
}

/**
 * Runs functions one after another on one side. What failed is run again on new servers, so that nothing is left of
 * others.
 */
export class Lane {
  readonly #side: Side;
  readonly #copy: ScriptsCopy;
  readonly #timeLimitMs: number;
  #servers: Servers | undefined;
  #endFunction: (() => void) | undefined;
  #closed = false;

  constructor(side: Side, copy: ScriptsCopy, timeLimitMs: number) {
    this.#side = side;
    this.#copy = copy;
    this.#timeLimitMs = timeLimitMs;
  }

  async run(name: string): Promise<Outcome> {
    const wereUsed = this.#servers !== undefined;
    const first = await this.#try(name);
    if (first.passed) return first;
    await this.#closeServers();
    if (!wereUsed || this.#closed) return first;
    const second = await this.#try(name);
    if (!second.passed) await this.#closeServers();
    return second;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#endFunction?.();
    await this.#closeServers();
  }

  async #closeServers(): Promise<void> {
    await this.#servers?.close();
    this.#servers = undefined;
  }

  async #try(name: string): Promise<Outcome> {
    this.#servers ??= await startServers(this.#side, this.#copy);
    if (this.#closed) throw new Error('closed while servers were started');
    const log = join(this.#copy.folder, `${name}.log`);
    const { code, ended } = await this.#runScript(name, log, this.#servers);
    const output = stripVTControlCharacters(readFileSync(log, 'utf8'));
    const timedOut = ended ? `\nended after ${this.#timeLimitMs / 1000} s` : '';
    return { passed: code === 0, output: output + timedOut };
  }

  async #runScript(name: string, log: string, servers: Servers): Promise<{ code: number | null; ended: boolean }> {
    const file = openSync(log, 'w');
    const child = spawn('bash', [join(import.meta.dirname, 'run-function.sh'), name], {
      cwd: this.#copy.folder,
      stdio: ['ignore', file, file],
      // A process group of its own, so that what a function leaves running can be ended.
      detached: true,
      env: {
        PATH: process.env['PATH'],
        TERM: 'xterm',
        TMPDIR: this.#copy.temporary,
        HOME: this.#copy.temporary,
        // Without it kubectl wants the server to be of the very commit that it was built from.
        ALLOW_SKEW: 'true',
        KUBE_JUNIT_REPORT_DIR: join(this.#copy.folder, 'junit'),
        SECURE_API_PORT: servers.apiPort,
        SECURE_CTLRMGR_PORT: servers.managerPort,
      },
    });
    closeSync(file);
    const endGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    };
    let ended = false;
    const timer = setTimeout(() => {
      ended = true;
      endGroup();
    }, this.#timeLimitMs);
    this.#endFunction = endGroup;
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once('exit', resolve).once('error', reject),
    );
    clearTimeout(timer);
    endGroup();
    this.#endFunction = undefined;
    return { code, ended };
  }
}
