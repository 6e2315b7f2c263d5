import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Exchange, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { serveMetrics } from './serve-metrics.ts';

const options = {
  allowMetricLabels: {},
  allowMetricLabelsManifest: '',
  disabledMetrics: [],
  showHiddenMetricsForVersion: '',
} as unknown as ServerOptions;

interface Answer {
  readonly isStream: boolean;
  readonly headers: OutgoingHeaders;
  readonly parts: readonly Uint8Array[];
}

/** What is answered to a scrape of a family with so many series. */
async function scraped(series: number, encoding?: string): Promise<Answer> {
  const counter = new Counter('scraped_total', '[ALPHA] Scraped.', ['name']);
  for (let at = 0; at < series; at++) counter.add(`${at}`.padStart(200, 'a'));
  const ended = Promise.withResolvers<Answer>();
  const parts: Uint8Array[] = [];
  const stream = (headers: OutgoingHeaders): Partial<ResponseStream> => ({
    write: (part) => parts.push(Buffer.from(part)) > 0,
    bufferedBytes: 0,
    onDrain: () => undefined,
    end: () => ended.resolve({ isStream: true, headers, parts }),
  });
  const exchange: Partial<Exchange> = {
    method: 'GET',
    headers: { 'accept-encoding': encoding },
    closed: false,
    onClose: () => undefined,
    send: (_status, headers, body) =>
      ended.resolve({ isStream: false, headers, parts: [body].flat() as readonly Uint8Array[] }),
    stream: (_status, headers) => stream(headers) as ResponseStream,
  };
  const handle = serveMetrics(options, undefined, [counter], 'families alone');
  await handle({ exchange } as RequestContext);
  return ended.promise;
}

describe('serveMetrics', () => {
  for (const encoding of [undefined, 'gzip'])
    test(`sends what is large in parts, ${encoding ?? 'as it is'}`, async () => {
      const { isStream, headers, parts } = await scraped(9_000, encoding);
      assert.ok(isStream);
      assert.equal(headers['content-encoding'], encoding);
      assert.ok(parts.every(({ length }) => length <= 512 * 1024));
      const bytes = Buffer.concat(parts);
      const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      assert.equal(text.match(/^scraped_total\{/gm)?.length, 9_000);
    });

  test('sends what is small at once', async () => {
    const { isStream, parts } = await scraped(1);
    assert.equal(isStream, false);
    assert.match(Buffer.concat(parts).toString(), /^scraped_total\{name="a+0"\} 1$/m);
  });
});
