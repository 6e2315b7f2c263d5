import { constants, gzipSync } from 'node:zlib';
import { processCaches } from '#shared/caches/cache-budget.ts';
import { choosesGzip } from '#shared/endpoints/responders/accept-encoding.ts';
import type { InFlightRequests } from '#shared/filters/in-flight.ts';
import { MetricsRegistry } from '#shared/observability/metrics.ts';
import type { Family } from '#shared/observability/metrics.ts';
import { addProcessMetrics } from '#shared/observability/process-metrics.ts';
import type { Handler } from '#shared/request/request-context.ts';
import type { RequestMetrics } from './request-metrics.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Serves `/metrics`: requests so far, requests in flight, the process itself, and the given further metrics. */
export function serveMetrics(
  requests: RequestMetrics,
  inFlight: InFlightRequests,
  further: readonly Family[],
): Handler {
  const registry = new MetricsRegistry();
  addProcessMetrics(registry);
  for (const family of [...requests.families(), ...further]) registry.add(family);
  registry.gauges(
    'apiserver_current_inflight_requests',
    '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    ['request_kind'],
    () => {
      const { mutating, readOnly } = inFlight.countByKind();
      return [
        [['mutating'], mutating],
        [['readOnly'], readOnly],
      ];
    },
  );
  registry.gauges(
    'quarterdeck_kept_bytes',
    '[ALPHA] Bytes that are kept for later requests (prepared answers, compiled expressions and patterns), by cache.',
    ['cache'],
    () => processCaches.held(),
  );
  registry.gauges(
    'quarterdeck_kept_bytes_limit',
    '[ALPHA] Bytes that each cache may keep. Their sum is the most that all caches of the process take.',
    ['cache'],
    () => processCaches.limits(),
  );
  const headers = {
    'content-type': contentType,
    'process-start-time-unix': String(Math.floor(Date.now() / 1000 - process.uptime())),
  };
  const refreshes = [...new Set(further.flatMap(({ refresh }) => refresh ?? []))];
  return async ({ exchange }) => {
    await Promise.all(refreshes.map((refresh) => refresh()));
    const text = registry.print();
    if (choosesGzip(exchange.headers['accept-encoding']))
      exchange.send(200, { ...headers, 'content-encoding': 'gzip' }, gzipSync(text, { level: constants.Z_BEST_SPEED }));
    else exchange.send(200, headers, text);
  };
}
