import { differencesFromAll } from '#test/compare/differences.ts';
import type { Exchange, Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { explanationOf } from './known-differences.ts';
import { play } from './play.ts';
import type { Scenario } from './scenario.ts';
import type { Seed } from './seeds.ts';

interface Difference {
  /** The requests up to the one that was answered otherwise. */
  readonly exchanges: readonly Exchange[];
  readonly lines: readonly string[];
}

export interface ComparisonOptions {
  /** Whether updates and patches see managed fields. */
  readonly managedFields: boolean;
  /** Takes the lines of the report. */
  readonly say: (line: string) => void;
}

/**
 * A difference that is none by the reference's choice of several answers stays after this many plays once in some
 * hundred.
 */
const playsOfDifferences = 8;

/** Plays scenarios on two servers and reports each kind of difference once, with the requests that led to it. */
export class Comparison {
  readonly #reference: Server;
  readonly #ours: Server;
  readonly #options: ComparisonOptions;
  readonly #seen = new Map<string, number>();
  readonly #explained = new Map<string, number>();
  #played = 0;
  #exchanged = 0;
  #run = 0;
  #chance = 0;

  constructor(reference: Server, ours: Server, options: ComparisonOptions) {
    this.#reference = reference;
    this.#ours = ours;
    this.#options = options;
  }

  /** Kinds of differences that nothing explains. */
  get kinds(): number {
    return this.#seen.size;
  }

  /**
   * A second may end within a scenario on one server, and the reference tells one of several mistakes in a map at
   * random: only what comes again and again is a difference.
   */
  async compare(scenario: Scenario, seed: Seed): Promise<void> {
    if ((await this.#differenceIn(scenario, seed)) === undefined) return;
    let again: Difference | undefined;
    for (let time = 1; time < playsOfDifferences; time++) {
      again = await this.#differenceIn(scenario, seed);
      if (again === undefined) break;
    }
    const last = again?.exchanges.at(-1);
    if (again === undefined || last === undefined) this.#chance += 1;
    else this.#tell(last, again.lines, again.exchanges);
  }

  sayTotals(): void {
    const known = [...this.#explained.values()].reduce((sum, count) => sum + count, 0);
    this.#options.say(
      `\n${this.#played} scenarios, ${this.#exchanged} answers: ${this.#seen.size} kinds of differences, ${known} answers that differ for a known reason, ${this.#chance} that differed once`,
    );
    for (const [why, count] of [...this.#explained].sort((a, b) => b[1] - a[1]))
      this.#options.say(`  ${count} × ${why}`);
  }

  /** Plays a scenario on both servers; what follows a difference differs because of it. */
  async #differenceIn(scenario: Scenario, seed: Seed): Promise<Difference | undefined> {
    const name = (this.#run++).toString(36).padStart(4, '0');
    const { managedFields } = this.#options;
    const [wanted, have] = await Promise.all([
      play(this.#reference, seed, scenario, name, { managedFields, settled: true }),
      play(this.#ours, seed, scenario, name, { managedFields, settled: false }),
    ]);
    this.#played += 1;
    for (const [index, exchange] of wanted.entries()) {
      this.#exchanged += 1;
      const other = have[index];
      // The reference panicked: nothing to compare with.
      if (other === undefined || exchange.status === 0) return undefined;
      const lines = differencesFromAll(
        [exchange, ...(exchange.others ?? [])].map((one) => normalForm(one, !managedFields)),
        normalForm(other, !managedFields),
      );
      if (lines.length > 0) return { exchanges: wanted.slice(0, index + 1), lines };
    }
    return undefined;
  }

  #tell(exchange: Exchange, differences: readonly string[], before: readonly Exchange[]): void {
    const why = explanationOf(differences);
    if (why !== undefined) {
      this.#explained.set(why, (this.#explained.get(why) ?? 0) + 1);
      return;
    }
    const kind = kindOf(exchange, differences[0] ?? '');
    const count = (this.#seen.get(kind) ?? 0) + 1;
    this.#seen.set(kind, count);
    if (count > 1) return;
    const { say } = this.#options;
    say(`\n### ${exchange.sent.method} ${exchange.sent.path}`);
    for (const { sent, status } of before.slice(-2))
      say(
        `  ${status} ${sent.method} ${sent.path} ${sent.headers['content-type'] ?? `as ${sent.headers['accept'] ?? ''}`} ${(sent.body ?? '').slice(0, 1500)}`,
      );
    for (const line of differences.slice(0, 12)) say(`    ${line.slice(0, 600)}`);
  }
}

/** Equal for differences that have the same cause, most likely. */
function kindOf(exchange: Exchange, difference: string): string {
  return `${exchange.sent.method} ${exchange.sent.headers['content-type'] ?? ''} ${difference.replaceAll(/\[\d+\]|"[^"]*"|\d+/g, '#').slice(0, 120)}`;
}
