import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A store that runs as a process of its own. */
export class StoreProcess {
  readonly socketPath: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #output = '';

  /** @param program the bundle `quarterdeck.js` */
  constructor(program: string, dataDir: string, socketPath: string) {
    this.socketPath = socketPath;
    this.#child = spawn(
      process.execPath,
      [program, 'store', '--data-dir', dataDir, '--listen-client-urls', '', '--listen-unix-socket', socketPath],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.#ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)));
  }

  get output(): string {
    return this.#output;
  }

  /** Whether it serves; its exit code where it ended instead. Undefined: neither within the time. */
  async started(withinMs: number): Promise<'ready' | number | undefined> {
    let code: number | null | undefined;
    void this.#ended.then((ended) => (code = ended));
    for (
      const until = performance.now() + withinMs;
      performance.now() < until;
      await new Promise((resolve) => setTimeout(resolve, 10))
    ) {
      if (code !== undefined) return code ?? 1;
      if (existsSync(this.socketPath) && this.#output.includes('store ready')) return 'ready';
    }
    return undefined;
  }

  /** Leaves the files as they are at this moment. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}
