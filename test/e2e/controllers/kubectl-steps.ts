import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { referenceProgram } from '#test/reference.ts';

const run = promisify(execFile);
const retryEveryMs = 250;

/** kubectl against one cluster; every call rejects with what kubectl printed. */
export class KubectlSteps {
  readonly #kubeconfig: string;

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  /** Runs a command; the working folder is that of the manifests. @returns what it printed */
  async do(command: string): Promise<string> {
    const argv = ['--kubeconfig', this.#kubeconfig, ...command.split(' ')];
    const { stdout } = await run(referenceProgram('kubectl') ?? 'kubectl', argv, {
      cwd: join(import.meta.dirname, 'manifests'),
      maxBuffer: 1 << 26,
    });
    return stdout.trim();
  }

  /**
   * Repeats a command until it prints what is wanted: controllers act when they like, and there is no one event for it.
   */
  async until(command: string, wanted: (output: string) => boolean, seconds: number): Promise<void> {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const output = await this.do(command).catch((error: unknown) => String(error));
      if (wanted(output)) return;
      if (performance.now() > deadline)
        throw new Error(`after ${seconds} s "kubectl ${command}" still prints:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
    }
  }
}
