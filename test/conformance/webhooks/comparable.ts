import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Exchange, Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';

/**
 * A server whose webhooks have a URL of their own: `/SIDE/` stands for it in what is sent and answered, so that both
 * servers that are compared are asked the same. The local port of a connection that was reset is left out, and so is
 * the number of a stream of HTTP/2.
 */
export function asSide(server: Server, side: string): Server {
  const plain = (text: string): string =>
    text
      .replaceAll(`/${side}/`, '/SIDE/')
      .replaceAll(/read tcp [^"]*?: read:/g, 'read:')
      .replaceAll(/stream ID \d+; /g, '');
  return {
    async send(sent): Promise<Exchange> {
      const body = sent.body?.replaceAll('/SIDE/', `/${side}/`);
      const exchange = await server.send({ ...sent, body });
      return {
        ...exchange,
        warnings: exchange.warnings.map(plain),
        body: JSON.parse(plain(JSON.stringify(exchange.body))) as JsonValue,
      };
    },
  };
}

/** A review as it is compared. */
export function reviewForm(review: JsonObject): JsonValue {
  const sent = { method: '', path: '', headers: {}, body: undefined };
  return normalForm({ sent, status: 0, contentType: '', warnings: [], body: review }, false)['body'] ?? null;
}

/**
 * False for a review of a deletion that is like the one before: the reference tries a deletion on what its cache has,
 * and again where that is old (storage/etcd3/store.go).
 */
export function isNew(one: JsonObject, at: number, all: readonly JsonObject[]): boolean {
  return stringAt(one, 'review', 'request', 'operation') !== 'DELETE' || !isDeepStrictEqual(one, all[at - 1]);
}
