import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll, differencesOf } from './differences.ts';
import { sendJson, type Exchange, type Server } from './exchange.ts';
import { normalForm } from './normal-form.ts';
import type { Report } from './report.ts';

/**
 * How often a request is sent again whose answers differ: the reference walks maps in random order. Of five keys each
 * comes first in one of so many answers, but for one case in 800,000; twelve would miss it in one of 18.
 */
const attempts = 60;

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** May be made of what the same server holds. */
  readonly body?: JsonValue | ((server: Server) => JsonValue);
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answers {
  readonly ours: Exchange;
  readonly theirs: Exchange;
}

export interface Compared extends Answers {
  /** Whether the first answers were the same already. */
  readonly isEqual: boolean;
}

export const isGood = ({ ours, theirs }: Answers): boolean => ours.status < 300 && theirs.status < 300;
const isRefused = ({ ours, theirs }: Answers): boolean => ours.status >= 400 && theirs.status >= 400;

/** Whether a difference is known, by what was asked or is wanted. */
export type IsExplained = (differences: readonly string[], asked: string) => boolean;

/** Both servers, asked for what changes nothing until they agree. */
export class PatientServers {
  readonly #ours: Server;
  readonly #theirs: Server;
  readonly #report: Report;
  readonly #isExplained: IsExplained;

  constructor(ours: Server, theirs: Server, report: Report, isExplained: IsExplained = () => false) {
    this.#ours = ours;
    this.#theirs = theirs;
    this.#report = report;
    this.#isExplained = isExplained;
  }

  isOurs(server: Server): boolean {
    return server === this.#ours;
  }

  async send({ method, path, body, headers }: Asked): Promise<Answers> {
    const of = (server: Server): Promise<Exchange> =>
      sendJson(server, method, path, typeof body === 'function' ? body(server) : body, headers);
    const [ours, theirs] = await Promise.all([of(this.#ours), of(this.#theirs)]);
    return { ours, theirs };
  }

  /** Compares the answers, and notes the difference that is left. `about` is printed with it. */
  compare(part: string, asked: Asked, about: () => string): Promise<Compared> {
    return this.#compare(part, asked, about, () => true);
  }

  /** Compares a request that may change something, which is sent again only where it did not. */
  change(part: string, asked: Asked, about: () => string): Promise<Compared> {
    return this.#compare(part, asked, about, (answers) => isRefused(answers) || asked.path.includes('dryRun=All'));
  }

  async #compare(
    part: string,
    asked: Asked,
    about: () => string,
    mayRepeat: (answers: Answers) => boolean,
  ): Promise<Compared> {
    const wanted: JsonObject[] = [];
    for (let left = attempts; ; left--) {
      const answers = await this.send(asked);
      wanted.push(comparedForm(answers.theirs));
      const lines = differencesFromAll(wanted, comparedForm(answers.ours));
      const isEqual = lines.length === 0 && wanted.length === 1;
      // The reference panicked: there is nothing to compare with.
      if (answers.theirs.status === 0) return { ...answers, isEqual: false };
      if (lines.length > 0 && left > 0 && mayRepeat(answers)) continue;
      const told = lines.length > 0 ? [...lines.slice(0, 5), about()] : [];
      const what = `${asked.method} ${asked.path}`;
      this.#report.note(part, what, told, this.#isExplained(lines, what));
      return { ...answers, isEqual };
    }
  }

  /** A write is tried first, which is what is compared, and then made if both would take it. */
  async write(part: string, asked: Asked, about: () => string): Promise<Answers | undefined> {
    const dry = { ...asked, path: `${asked.path}${asked.path.includes('?') ? '&' : '?'}dryRun=All` };
    const tried = await this.compare(part, dry, about);
    if (!isGood(tried)) return undefined;
    const made = await this.send(asked);
    return isGood(made) ? made : undefined;
  }

  equal(part: string, what: string, want: JsonValue, have: JsonValue, about: () => string): void {
    const lines = differencesOf(want, have);
    const told = lines.length > 0 ? [...lines.slice(0, 6), about()] : [];
    this.#report.note(part, what, told, this.#isExplained(lines, JSON.stringify(want)));
  }
}

/** Descriptions of columns come from definitions, and are compared too. */
function comparedForm(exchange: Exchange): JsonObject {
  const { body } = exchange;
  const columns = (body as { readonly columnDefinitions?: JsonValue } | null)?.columnDefinitions;
  return { ...normalForm(exchange, false), ...(columns !== undefined && { columns }) };
}
