import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { differencesOf } from '#test/compare/differences.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import type { Pair, Side } from '#test/compare/pair.ts';
import type { Report } from '#test/compare/report.ts';
import { startWebhook, type Behaviour, type Webhook } from './webhook.ts';

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

interface Half {
  readonly server: Server;
  readonly webhook: Webhook;
  readonly side: Side;
}

/** Both servers, each with a webhook of its own. */
export class TwoSides {
  readonly #ours: Half;
  readonly #theirs: Half;
  readonly #report: Report;
  part = '';

  private constructor(report: Report, ours: Half, theirs: Half) {
    this.#report = report;
    this.#ours = ours;
    this.#theirs = theirs;
  }

  static async start(report: Report, { ours, theirs }: Pair): Promise<TwoSides> {
    const half = async (side: Side): Promise<Half> => ({ side, server: side.server, webhook: await startWebhook() });
    return new TwoSides(report, await half(ours), await half(theirs));
  }

  set behaviour(behaviour: Behaviour) {
    this.#ours.webhook.behaviour = behaviour;
    this.#theirs.webhook.behaviour = behaviour;
  }

  close(): void {
    this.#ours.webhook.close();
    this.#theirs.webhook.close();
  }

  /**
   * Asks both and compares the answers, managed fields included. The body may name the webhook of its server. The
   * reference keeps converted objects in a cache for each version, and answers 429 while it fills one anew; this server
   * converts when it is asked.
   */
  async ask(
    what: string,
    method: string,
    path: string,
    body?: object | ((webhook: Webhook) => object),
    { headers }: AskOptions = {},
  ): Promise<Exchange> {
    const call = async ({ server, webhook }: Half): Promise<[Exchange, JsonValue]> => {
      const answer = await sendJson(server, method, path, typeof body === 'function' ? body(webhook) : body, headers);
      return [answer, withoutAddress(normalForm(answer, false), webhook)];
    };
    const [[answer, ours], [theirAnswer, theirs]] = await Promise.all([call(this.#ours), call(this.#theirs)]);
    this.#report.note(this.part, what, differencesOf(theirs, ours), theirAnswer.status === 429);
    return answer;
  }

  /** @param lines what is wrong: nothing where it is right */
  note(what: string, lines: readonly string[]): void {
    this.#report.note(this.part, what, lines);
  }

  /** Does the same on both sides and compares the results. */
  async compare(what: string, run: (side: Side, webhook: Webhook) => Promise<JsonValue>): Promise<void> {
    const result = async ({ side, webhook }: Half): Promise<JsonValue> =>
      withoutAddress(await run(side, webhook), webhook);
    const [ours, theirs] = await Promise.all([result(this.#ours), result(this.#theirs)]);
    this.#report.note(this.part, what, differencesOf(theirs, ours));
  }

  /** Asks, without a comparison, until both answer 200. */
  async until200(path: string): Promise<void> {
    await Promise.all(
      [this.#ours, this.#theirs].map(async ({ server }) => {
        for (let tries = 0; tries < 100; tries++) {
          const { status } = await sendJson(server, 'GET', path);
          if (status === 200) return;
          await sleep(100);
        }
        throw new Error(`${path} is not served`);
      }),
    );
  }
}

function withoutAddress(value: JsonValue, { url, caBundle }: Webhook): JsonValue {
  const port = new URL(url).port;
  const text = JSON.stringify(value)
    .replaceAll(caBundle, '<authority>')
    .replaceAll(`127.0.0.1:${port}`, '<webhook>')
    // Our client knows no addresses of a connection that was reset. Two timers of 30 s end a call of the reference, of
    // which either may be the first, and Go has two names for the one of its client.
    .replaceAll(/read tcp [^ ]*: /g, '')
    .replaceAll('net/http: request canceled (Client', 'context deadline exceeded (Client')
    .replaceAll(
      'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      'context deadline exceeded',
    );
  return JSON.parse(text) as JsonValue;
}
