import { LatestAnswer } from '#gateway/polling/latest-answer.ts';
import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import type { Backend } from '#gateway/proxy/backend.ts';
import { internalFetch } from '#gateway/proxy/internal-request.ts';
import type { Family } from '#shared/observability/metrics.ts';

/** How long `/metrics` waits for a server that hangs. */
const patienceMs = 500;

/**
 * Metrics that the servers behind the gateway count, too: core asks the authorizers for access reviews. `/metrics` of
 * the gateway shows the sums, as clients see one server.
 */
export class BackendMetrics {
  readonly #pools: readonly BackendPool[];
  readonly #answers = new WeakMap<Backend, LatestAnswer<string>>();
  #texts: readonly string[] = [];
  #refreshing: Promise<void> | undefined;

  constructor(pools: readonly BackendPool[]) {
    this.#pools = pools;
  }

  /** Families of the gateway with the counts of all servers. Most gauges, and counts by server, stay its own. */
  summed(own: readonly Family[]): readonly Family[] {
    const isShared = ({ name, type, merged }: Family): boolean =>
      merged !== undefined || (type !== 'gauge' && !name.includes('_config_controller_'));
    return own.map((family) => (isShared(family) ? this.#sumOf(family) : family));
  }

  /** Families of gauges, each line from the first server that has it: replicas count the same objects. */
  joined(own: readonly Family[]): readonly Family[] {
    const refreshes = [...new Set([this.#refresh, ...own.flatMap(({ refresh }) => refresh ?? [])])];
    const refresh = async (): Promise<void> => void (await Promise.all(refreshes.map((one) => one())));
    return own.map((family) => ({
      ...family,
      lines: () => firsts([family.lines(), ...this.#texts.map((text) => linesOf(text, family.name))]),
      refresh,
    }));
  }

  #sumOf(family: Family): Family {
    const add = family.merged === 'max' ? Math.max : (one: number, other: number): number => one + other;
    return {
      name: family.name,
      type: family.type,
      help: family.help,
      lines: () => merged([family.lines(), ...this.#texts.map((text) => linesOf(text, family.name))], add),
      refresh: this.#refresh,
    };
  }

  /** Asks every server; one that hangs counts as before. */
  readonly #refresh = (): Promise<void> =>
    (this.#refreshing ??= this.#ask().finally(() => (this.#refreshing = undefined)));

  async #ask(): Promise<void> {
    const backends = this.#pools.flatMap((pool) => pool.backends.filter(({ usable }) => usable));
    const answers = await Promise.all(backends.map(async (backend) => await this.#answerOf(backend).get()));
    this.#texts = answers.flatMap(({ value }) => value ?? []);
  }

  #answerOf(backend: Backend): LatestAnswer<string> {
    let answer = this.#answers.get(backend);
    if (answer === undefined) {
      const alone = new BackendPool(backend.address, [backend]);
      answer = new LatestAnswer(async () => {
        const { body } = await internalFetch(alone, '/metrics', { accept: 'text/plain' });
        return body.toString();
      }, patienceMs);
      this.#answers.set(backend, answer);
    }
    return answer;
  }
}

/** The lines of one family. */
function linesOf(text: string, family: string): string[] {
  return text.split('\n').filter((line) => {
    const [name = ''] = line.split(/[{ ]/, 1);
    return name === family || name.replace(/_(?:bucket|sum|count)$/, '') === family;
  });
}

/** The lines without those whose name and labels came before. */
function* firsts(lists: readonly Iterable<string>[]): Iterable<string> {
  const known = new Set<string>();
  for (const lines of lists)
    for (const line of lines) {
      const key = line.slice(0, line.lastIndexOf(' '));
      if (known.has(key)) continue;
      known.add(key);
      yield line;
    }
}

/** Makes one line of those that have the same name and labels. */
function* merged(lists: readonly Iterable<string>[], add: (one: number, other: number) => number): Iterable<string> {
  const totals = new Map<string, number>();
  for (const lines of lists)
    for (const line of lines) {
      const blank = line.lastIndexOf(' ');
      const key = line.slice(0, blank);
      const value = Number(line.slice(blank + 1));
      const total = totals.get(key);
      totals.set(key, total === undefined ? value : add(total, value));
    }
  for (const [key, total] of totals) yield `${key} ${total}`;
}
