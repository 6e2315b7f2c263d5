import { setTimeout as pause } from 'node:timers/promises';
import type { Kubectl } from '#test/e2e/registered-servers/kubectl.ts';
import type { PodProgram } from './process-node.ts';

/** Where an operator is installed. */
export interface Site {
  readonly kubectl: Kubectl;
  /** The source of the operator's Go module, with its manifests. */
  readonly module: string;
  /** A folder for files. */
  readonly folder: string;
  /** Rejects when it fails. */
  readonly helm: (...argv: readonly string[]) => Promise<void>;
}

export interface Operator {
  readonly name: string;
  /** By the name of the Deployment whose pods they are. */
  readonly programs: Readonly<Record<string, PodProgram>>;
  install(site: Site): Promise<void>;
  /** What users do with it, in this order. Each resolves to what it saw. */
  readonly steps: Readonly<Record<string, (site: Site) => Promise<string>>>;
}

const patienceMs = 120_000;

/** Asks again until `ask` returns something. Rejects with its last error. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const late = performance.now() > deadline;
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (late) throw new Error('it did not come');
    } catch (error) {
      if (late) throw error;
    }
    await pause(500);
  }
}

/** Applies objects, again while a webhook's server is not there yet. */
export async function applyEventually({ kubectl }: Site, ...objects: readonly object[]): Promise<void> {
  await eventually(async () => {
    await kubectl.apply(...objects);
    return true;
  });
}

/** The error of a command that has to fail. */
export async function refusal({ kubectl }: Site, ...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await kubectl.run(...argv);
  if (code === 0) throw new Error(`kubectl ${argv.join(' ')} was not refused: ${out}`);
  return err.trim();
}
