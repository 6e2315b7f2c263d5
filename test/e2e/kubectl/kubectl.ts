import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '#servers/launcher/pki/certificate.ts';
import { validityAt } from '#servers/launcher/pki/validity.ts';
import { words } from './step.ts';
import type { Step } from './step.ts';

/** What one run of kubectl gave; `output` is what it printed on both streams, in one text. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** A server that kubectl talks to. */
export interface Target {
  readonly url: string;
  readonly token: string;
}

const endWithinMs = 30_000;

/** Runs kubectl against one server in a working folder of its own that holds the manifests. */
export class Kubectl {
  readonly folder = mkdtempSync(join(tmpdir(), 'e2e-kubectl-'));
  readonly #program: string;

  constructor(program: string, target: Target) {
    this.#program = program;
    cpSync(join(import.meta.dirname, 'manifests'), this.folder, { recursive: true });
    const tls = createAuthority({ commonName: 'e2e.example' }, validityAt(new Date(), 30));
    writeFileSync(join(this.folder, 'tls.key'), tls.keyPem);
    writeFileSync(join(this.folder, 'tls.crt'), tls.certificatePem);
    writeFileSync(
      join(this.folder, 'kubeconfig'),
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'e2e', cluster: { server: target.url, 'insecure-skip-tls-verify': true } }],
        users: [{ name: 'e2e', user: { token: target.token } }],
        contexts: [{ name: 'e2e', context: { cluster: 'e2e', user: 'e2e', namespace: 'e2e' } }],
        'current-context': 'e2e',
      }),
      { mode: 0o600 },
    );
    mkdirSync(join(this.folder, 'home'));
  }

  async run(step: Step): Promise<Ran> {
    return step.during === undefined ? this.#spawn(words(step.command), step) : this.#watch(step, step.during);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #spawn(
    argv: readonly string[],
    { stdin = '', env = {} }: Pick<Step, 'stdin' | 'env'>,
    onOutput?: (text: string, end: () => void) => void,
  ): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#program, argv, {
        cwd: this.folder,
        env: { PATH: process.env['PATH'], HOME: join(this.folder, 'home'), KUBECONFIG: 'kubeconfig', ...env },
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
      const out = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (more: string) => {
          out[name] += more;
          onOutput?.(out.stdout, () => child.kill('SIGTERM'));
        });
      }
      child.stdin.on('error', () => undefined).end(stdin);
      child.once('error', reject).once('close', (code) => {
        clearTimeout(timer);
        // The streams apart, for their order in time is not certain.
        resolve({ code, output: out.stderr === '' ? out.stdout : `${out.stdout}--- stderr\n${out.stderr}` });
      });
    });
  }

  /** A watch is ended by us, so that its code says nothing; that all lines came does. */
  async #watch(step: Step, during: readonly string[]): Promise<Ran> {
    let acting: Promise<void> | undefined;
    const act = async (): Promise<void> => {
      for (const command of during) await this.#spawn(words(command), {});
    };
    const ran = await this.#spawn(words(step.command), step, (text, end) => {
      acting ??= act();
      if (text.split('\n').length > (step.untilLines ?? 0)) end();
    });
    await acting;
    return { ...ran, code: ran.output.split('\n').length > (step.untilLines ?? 0) ? 0 : 1 };
  }
}
