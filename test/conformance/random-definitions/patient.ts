import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll, differencesOf } from '#test/compare/differences.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import type { Report } from '#test/compare/report.ts';

/** How often a request is sent whose answers differ: the reference walks maps in random order. */
const attempts = 12;

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

export const isGood = ({ ours, theirs }: Answers): boolean => ours.status < 300 && theirs.status < 300;

/** Both servers, asked for what changes nothing until they agree. */
export class PatientServers {
  readonly #ours: Server;
  readonly #theirs: Server;
  readonly #report: Report;

  constructor(ours: Server, theirs: Server, report: Report) {
    this.#ours = ours;
    this.#theirs = theirs;
    this.#report = report;
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
  async compare(part: string, asked: Asked, about: () => string): Promise<Answers> {
    const wanted: JsonObject[] = [];
    for (let left = attempts; ; left--) {
      const answers = await this.send(asked);
      wanted.push(comparedForm(answers.theirs));
      const lines = differencesFromAll(wanted, comparedForm(answers.ours));
      // The reference panicked: there is nothing to compare with.
      if (answers.theirs.status === 0) return answers;
      if (lines.length > 0 && left > 0) continue;
      this.#report.note(part, `${asked.method} ${asked.path}`, lines.length > 0 ? [...lines.slice(0, 5), about()] : []);
      return answers;
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
    this.#report.note(part, what, lines.length > 0 ? [...lines.slice(0, 6), about()] : []);
  }
}

/** Descriptions of columns come from definitions, and are compared too. */
function comparedForm(exchange: Exchange): JsonObject {
  const { body } = exchange;
  const columns = (body as { readonly columnDefinitions?: JsonValue } | null)?.columnDefinitions;
  return { ...normalForm(exchange, false), ...(columns !== undefined && { columns }) };
}
