import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkProcess } from '#servers/launcher/fork-process.ts';
import type { HostAnswer, HostCall, HostMethod, HostMethods } from './messages.ts';

/** What the servers said last, for errors. */
const keptCharacters = 64 * 1024;
const root = fileURLToPath(new URL('../../..', import.meta.url));

type Result<M extends HostMethod> = Awaited<ReturnType<HostMethods[M]>>;

/** The process in which clusters run, a child of this one that ends with it. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #output = '';
  #calls = 0;
  #hasEnded = false;

  constructor() {
    this.#child = forkProcess({
      ...findProgram(),
      argv: ['host'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: false,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-keptCharacters);
      });
    this.#child.on('message', (message: HostAnswer) => this.#settle(message));
    this.#child.on('exit', (code, signal) => this.#end(`ended (${signal ?? code})`));
    this.#child.on('error', (error) => this.#end(`could not be started: ${error.message}`));
    this.#rest();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What its servers wrote last. */
  get output(): string {
    return this.#output;
  }

  /** Rejects with the host's own words, or when it has ended. */
  async call<M extends HostMethod>(method: M, ...parameters: Parameters<HostMethods[M]>): Promise<Result<M>> {
    const id = ++this.#calls;
    const waiting = Promise.withResolvers<unknown>();
    if (this.#hasEnded) throw new Error(this.#words('has ended'));
    this.#waiting.set(id, waiting);
    this.#child.ref();
    this.#child.channel?.ref();
    this.#child.send({ id, method, parameters } satisfies HostCall);
    return (await waiting.promise) as Result<M>;
  }

  #settle({ id, result, error }: HostAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#rest();
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error));
  }

  /** Lets this process end while nothing is asked of the host. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr])
      (stream as unknown as { unref?: () => void } | null)?.unref?.();
  }

  #end(how: string): void {
    this.#hasEnded = true;
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(this.#words(how)));
    this.#waiting.clear();
  }

  #words(how: string): string {
    return `the process of the clusters ${how}; it said last:\n${this.#output}`;
  }
}

/** The bundle, or in a clone without one the sources. QUARTERDECK_DIST names the folder of other bundles. */
function findProgram(): { readonly entry: string; readonly execArgv: readonly string[] } {
  const bundle = join(process.env['QUARTERDECK_DIST'] ?? join(root, 'dist'), 'quarterdeck.js');
  if (existsSync(bundle)) return { entry: bundle, execArgv: [] };
  return { entry: join(root, 'servers', 'launcher', 'main.ts'), execArgv: ['--import', 'tsx'] };
}
