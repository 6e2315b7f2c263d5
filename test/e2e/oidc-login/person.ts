import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { referenceProgram } from '#test/reference.ts';

const run = promisify(execFile);
const here = import.meta.dirname;

export interface Printed {
  readonly code: number;
  readonly text: string;
}

/** Somebody at a shell with kubectl, the plugin oidc-login and a browser. */
export class Person {
  readonly name: string;
  readonly #folder: string;
  readonly #variables: Readonly<Record<string, string>>;

  constructor(name: string, folder: string, variables: Readonly<Record<string, string>>) {
    this.name = name;
    this.#folder = folder;
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const node = (file: string): string =>
      `exec "${process.execPath}" --import "${import.meta.resolve('tsx')}" "${join(here, file)}" "$@"`;
    script(join(bin, 'kubectl'), `exec "${referenceProgram('kubectl') ?? 'kubectl'}" "$@"`);
    // kubectl calls a plugin without the name that it is called by.
    script(join(bin, 'kubectl-oidc_login'), node('get-token.ts'));
    script(join(bin, 'browser'), node('open-browser.ts'));
    this.#variables = {
      ...variables,
      BROWSER: join(bin, 'browser'),
      HOME: folder,
      LOGIN_AS: name,
      LOGIN_CACHE: join(folder, `${name}.json`),
      LOGINS: join(folder, 'logins'),
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    };
  }

  /** How often this person had to log in. */
  get logins(): number {
    const file = join(this.#folder, 'logins');
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((name) => name === this.name).length
      : 0;
  }

  /** The ID token that is kept. */
  get token(): string {
    return (JSON.parse(readFileSync(this.#variables['LOGIN_CACHE'] ?? '', 'utf8')) as { id_token: string }).id_token;
  }

  /** Types commands; never throws for their exit codes. */
  async types(commands: string): Promise<Printed> {
    try {
      const { stdout, stderr } = await run('bash', ['-ec', commands], { cwd: this.#folder, env: this.#variables });
      return { code: 0, text: stdout + stderr };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
      return { code: code ?? -1, text: stdout + stderr };
    }
  }
}

function script(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}
