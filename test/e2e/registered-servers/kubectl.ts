import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** kubectl with an empty home of its own, so that no cached discovery hides anything. */
export class Kubectl {
  readonly #program: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'registered-servers-'));
  readonly #env: Readonly<Record<string, string>>;

  constructor(program: string, kubeconfig: string) {
    this.#program = program;
    mkdirSync(join(this.#folder, 'home'));
    this.#env = { PATH: process.env['PATH'] ?? '', HOME: join(this.#folder, 'home'), KUBECONFIG: kubeconfig };
  }

  run(...argv: readonly string[]): Promise<Ran> {
    return new Promise((resolve) => {
      execFile(this.#program, argv, { env: this.#env, timeout: 60_000, maxBuffer: 1 << 26 }, (error, out, err) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err });
      });
    });
  }

  /** The same as a kubectl that has never asked this server before. */
  async withoutMemory(...argv: readonly string[]): Promise<Ran> {
    return await this.run(...argv, '--cache-dir', mkdtempSync(join(this.#folder, 'cache-')));
  }

  /** What it printed. Rejects when it failed. */
  async must(...argv: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...argv);
    if (code !== 0) throw new Error(`kubectl ${argv.join(' ')} ended with ${code}:\n${out}${err}`);
    return out;
  }

  /** Creates or changes objects. */
  async apply(...items: readonly object[]): Promise<void> {
    const path = join(this.#folder, 'manifest.json');
    writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await this.must('apply', '-f', path);
  }

  /** Runs a watch while `act` does its work, until so many lines have come. */
  watch(argv: readonly string[], lines: number, act: () => Promise<void>): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#program, argv, { env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] });
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      let text = '';
      let acting: Promise<void> | undefined;
      child.stdout.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        acting ??= act();
        if (text.split('\n').length > lines) child.kill('SIGTERM');
      });
      child.once('error', reject).once('close', () => {
        clearTimeout(timer);
        if (text.split('\n').length > lines) Promise.resolve(acting).then(() => resolve(text), reject);
        else reject(new Error(`the watch gave ${JSON.stringify(text)}, not ${lines} lines`));
      });
    });
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
