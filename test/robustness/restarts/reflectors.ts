import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What the program of client-go tells (`test/recorders/clients/reflectors`). */
interface Told {
  readonly at: number;
  readonly what: 'value' | 'refused' | 'status' | 'list' | 'gone';
  readonly resource?: string;
  readonly value?: string;
  readonly status?: number;
}

export const resources = ['configmaps', 'widgets'] as const;

/** Reflectors of client-go in a process of their own. */
export class Reflectors {
  readonly #child: ChildProcess;
  readonly told: Told[] = [];

  constructor(program: string, kubeconfig: string) {
    this.#child = spawn(program, [], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.told.push(JSON.parse(line) as Told),
    );
  }

  /** How many lines of a kind there have been from a moment on. */
  count(what: Told['what'], fromMs: number): number {
    return this.told.filter((line) => line.what === what && line.at >= fromMs).length;
  }

  /** When a value of a resource was first seen; rejects after a minute. */
  async seen(resource: string, value: string): Promise<number> {
    for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 5))) {
      const line = this.told.find((one) => one.what === 'value' && one.resource === resource && one.value === value);
      if (line !== undefined) return line.at;
    }
    throw new Error(`the reflector of ${resource} saw no value ${value} within a minute: ${this.#lastLines()}`);
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #lastLines(): string {
    return this.told
      .slice(-10)
      .map((line) => JSON.stringify(line))
      .join(' ');
  }
}

/** Builds the program into a folder. */
export function buildReflectors(folder: string): string {
  const program = join(folder, 'reflectors');
  const { status } = spawnSync('go', ['build', '-o', program, './clients/reflectors'], {
    cwd: join(import.meta.dirname, '..', '..', 'recorders'),
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the program of client-go could not be built');
  return program;
}
