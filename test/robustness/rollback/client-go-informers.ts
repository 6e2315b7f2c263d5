import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '#test/api-client.ts';
import type { ListedState } from './listed-object.ts';
import { listState } from './listed-state.ts';

/** After it an informer is taken to have missed something. */
const patienceMs = 20_000;
/** After it the state may have changed, and is listed again. */
const relistMs = 1_000;

/** Resources whose informers the program has, by their key in states. */
const followedKeys = [
  'configmaps.',
  'secrets.',
  'services.',
  'namespaces.',
  'pods.',
  'events.',
  'serviceaccounts.',
  'rolebindings.rbac.authorization.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'things.standing.example.com',
];

/** What an informer has: objects as `namespace/name uid version`. */
interface Holding {
  readonly form: string;
  readonly stored: readonly string[];
  /** The same by the calls of its handler. */
  readonly told: readonly string[];
  /** The last events of its watch. */
  readonly recent: readonly string[];
}

type Line =
  | { readonly ready: true }
  | { readonly problem: string }
  | { readonly resource: string; readonly held: readonly Holding[] };

/** Informers of client-go, which stay open, in a process of their own (`test/recorders/clients/open-informers`). */
export class ClientGoInformers {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<unknown>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #answers: PromiseWithResolvers<readonly Holding[]>[] = [];
  readonly #problems: string[] = [];

  private constructor(program: string, kubeconfig: string) {
    this.#child = spawn(program, [], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#child, 'exit').then(() => {
      const error = new Error('the program of client-go ended');
      for (const { reject } of [this.#ready, ...this.#answers]) reject(error);
    });
    createInterface({ input: this.#child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if ('problem' in line) this.#problems.push(`client-go, ${line.problem}`);
      else if ('held' in line) this.#answers.shift()?.resolve(line.held);
      else this.#ready.resolve();
    });
  }

  /** Resolves when all informers have listed. @throws Error (as a rejection) when the program ends instead */
  static async start(program: string, kubeconfig: string): Promise<ClientGoInformers> {
    const informers = new ClientGoInformers(program, kubeconfig);
    await informers.#ready.promise;
    return informers;
  }

  /**
   * Waits until the informers hold what a state has, or what lists show after a second: servers may have gone on with a
   * deletion.
   * @throws Error (as a rejection) with what they hold instead, or with what they were told that no informer should be
   */
  async follow(state: ListedState, client: ApiClient): Promise<void> {
    let current = state;
    for (const key of followedKeys) {
      const beganMs = performance.now();
      for (let lists = 1; ; await sleep(2)) {
        const wanted = textsIn(current, key);
        const late = (await this.#held(key)).filter(
          ({ stored, told }) => !isSame(stored, wanted) || !isSame(told, wanted),
        );
        if (late.length === 0) break;
        const waitedMs = performance.now() - beganMs;
        if (waitedMs > patienceMs)
          throw new Error([...late.map((one) => missed(key, one, wanted)), ...this.#problems].join('\n'));
        if (waitedMs < lists * relistMs) continue;
        lists++;
        current = await listState(client);
      }
    }
    if (this.#problems.length > 0) throw new Error(this.#problems.join('\n'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async #held(key: string): Promise<readonly Holding[]> {
    const answer = Promise.withResolvers<readonly Holding[]>();
    this.#answers.push(answer);
    this.#child.stdin.write(`${key}\n`);
    return answer.promise;
  }
}

function textsIn(state: ListedState, key: string): readonly string[] {
  return [...state]
    .filter(([place]) => place.startsWith(`${key}/`))
    .map(
      ([, { metadata }]) => `${metadata.namespace ?? ''}/${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`,
    );
}

function isSame(held: readonly string[], wanted: readonly string[]): boolean {
  return held.length === wanted.length && new Set(held).isSubsetOf(new Set(wanted));
}

function missed(key: string, { form, stored, told, recent }: Holding, wanted: readonly string[]): string {
  const differs = (name: string, held: readonly string[]): readonly string[] => [
    ...wanted.filter((text) => !held.includes(text)).map((text) => `  not in its ${name}: ${text}`),
    ...held.filter((text) => !wanted.includes(text)).map((text) => `  wrongly in its ${name}: ${text}`),
  ];
  return [
    `the ${form} informer of client-go of ${key} holds another state than the list:`,
    ...differs('store', stored),
    ...differs("handler's state", told),
    `  the last events of its watch: ${recent.join(', ')}`,
  ].join('\n');
}

/** Builds the program into a folder; undefined, with a loud line, where there is no Go. */
export function buildClientGoInformers(folder: string): string | undefined {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    console.log('!!! LEFT OUT: client-go: no Go on this machine');
    return undefined;
  }
  const program = join(folder, 'open-informers');
  const { status } = spawnSync('go', ['build', '-o', program, './clients/open-informers'], {
    cwd: join(import.meta.dirname, '..', '..', 'recorders'),
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the program of client-go could not be built');
  return program;
}
