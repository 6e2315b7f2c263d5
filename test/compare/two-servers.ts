import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { differencesOf } from './differences.ts';
import { sendJson, type Exchange, type Server } from './exchange.ts';
import { normalForm } from './normal-form.ts';
import type { Report } from './report.ts';

/** Both servers, asked the same at once; the reference may be missing. */
export class TwoServers {
  readonly #ours: Server;
  readonly #theirs: Server | undefined;
  readonly #report: Report;
  readonly #part: string;

  constructor(part: string, report: Report, ours: Server, theirs: Server | undefined) {
    this.#part = part;
    this.#report = report;
    this.#ours = ours;
    this.#theirs = theirs;
  }

  /**
   * Compares the answers less managed fields, and the status with those that are expected: of the reference, or of this
   * server where there is no reference.
   */
  async ask(
    what: string,
    expected: readonly number[],
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Exchange> {
    const call = (server: Server): Promise<Exchange> => sendJson(server, method, path, body, headers);
    const [ours, theirs] = await Promise.all([
      call(this.#ours),
      this.#theirs === undefined ? undefined : call(this.#theirs),
    ]);
    const lines = theirs === undefined ? [] : differencesOf(inOneOrder(theirs), inOneOrder(ours));
    const { status, body: answered } = theirs ?? ours;
    if (!expected.includes(status)) {
      const who = theirs === undefined ? 'this server' : 'the reference';
      lines.push(`${who} answered ${status}: ${JSON.stringify(answered)}`);
    }
    this.#report.note(this.#part, what, lines);
    return ours;
  }

  /** Compares what was found in another way. */
  equal(what: string, ours: JsonValue, theirs: JsonValue): void {
    this.#report.equal(this.#part, what, theirs, ours);
  }
}

/** The reference lists resources in discovery, and some errors in a message, in the random order of Go maps. */
function inOneOrder(exchange: Exchange): JsonObject {
  const form = normalForm(exchange, true);
  const { body } = form;
  if (!isObject(body)) return form;
  const { kind, resources, message } = body;
  if (kind === 'APIResourceList' && Array.isArray(resources))
    return { ...form, body: { ...body, resources: resources.map((one) => JSON.stringify(one)).toSorted() } };
  if (kind === 'Status' && typeof message === 'string')
    return { ...form, body: { ...body, message: message.split(/, |: \[|\]$/).toSorted() } };
  return form;
}
