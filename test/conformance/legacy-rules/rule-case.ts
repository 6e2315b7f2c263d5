import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { sentOf, type Series } from '#test/conformance/series/series.ts';

/** A series that shows what a server does with what upstream's rules read. */
export interface RuleCase extends Series {
  /** Names in gen/read-by-upstream.json to which the requests give a good value and a bad one. */
  readonly covers?: readonly string[];
}

/** An answer as it is recorded and compared: in normal form, with the request for the reader. */
export interface RuleAnswer {
  readonly request: string;
  readonly answer: JsonObject;
}

/** What is recorded of a case. */
export interface RecordedCase {
  readonly name: string;
  readonly answers: readonly RuleAnswer[];
}

/** Without an account in the namespace every pod is refused alike, and a case compares nothing. */
export async function prepareServer(server: Server): Promise<void> {
  await sendJson(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
}

/** Sends the requests of a case one after the other; the names in them come from its own, as in what is recorded. */
export async function playCase(server: Server, { name, requests }: RuleCase): Promise<RecordedCase> {
  const exchanges: Exchange[] = [];
  for (const request of requests(name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')))
    exchanges.push(await server.send(sentOf(request, exchanges)));
  const answers = exchanges.map((exchange) => ({
    request: `${exchange.sent.method} ${exchange.sent.path}`,
    answer: normalForm(exchange, false),
  }));
  return { name, answers };
}
