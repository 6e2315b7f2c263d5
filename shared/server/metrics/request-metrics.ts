import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import type { Family, Sample } from '#shared/observability/metrics/family.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RequestedResource } from './deprecated-requests.ts';

/** Upper bounds of apiserver_request_duration_seconds, seconds (apiserver/pkg/endpoints/metrics). */
const buckets: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
/** The most label combinations that are counted, since clients choose the names in them. */
const maxSeries = 10_000;
const names = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'] as const;
/** Non-resource paths that are counted by name. */
const paths: ReadonlySet<string> = new Set([
  '/healthz',
  '/livez',
  '/readyz',
  '/metrics',
  '/version',
  '/api',
  '/apis',
  '/openapi/v2',
  '/openapi/v3',
]);
const verbs: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETECOLLECTION'],
  ['connect', 'CONNECT'],
]);

/** Codes with which filters refuse a request before its handler. */
const refusals: ReadonlySet<number> = new Set([401, 403, 429]);

interface Series {
  readonly labels: readonly string[];
  readonly codes: Map<number, number>;
  readonly counts: Uint32Array;
  sum: number;
}

/**
 * Counts requests by verb, resource and code, with their durations. Recording costs only a map look-up, since it
 * happens for every request.
 */
export class RequestMetrics {
  readonly #ofResources = new TupleMap<Series>(7);
  readonly #ofPaths = new TupleMap<Series>(2);
  readonly #series: Series[] = [];

  /** Records a request at its end, answered or not. */
  record(context: RequestContext): void {
    const { exchange, info } = context;
    const dryRun = exchange.query.includes('dryRun=All') ? 'All' : '';
    const [known, key] = info.isResourceRequest
      ? [
          this.#ofResources,
          [info.verb, info.apiGroup, info.apiVersion, info.resource, info.subresource, scopeOf(context), dryRun],
        ]
      : [this.#ofPaths, [exchange.method, paths.has(info.path) ? info.path : '']];
    let series = known.get(key);
    if (series === undefined) {
      if (this.#series.length >= maxSeries) return;
      series = {
        labels: labelsOf(context, dryRun),
        codes: new Map(),
        counts: new Uint32Array(buckets.length + 1),
        sum: 0,
      };
      known.set(key, series);
      this.#series.push(series);
    }
    const seconds = (performance.now() - context.receivedAtMs) / 1000;
    let at = 0;
    while (at < buckets.length && seconds > (buckets[at] as number)) at++;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
    series.codes.set(exchange.statusCode, (series.codes.get(exchange.statusCode) ?? 0) + 1);
  }

  families(): Family[] {
    return [
      {
        name: 'apiserver_request_total',
        type: 'counter',
        help: '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
        labelNames: ['code', ...names],
        samples: () => this.#totals(),
      },
      {
        name: 'apiserver_request_duration_seconds',
        type: 'histogram',
        help: '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
        labelNames: names,
        buckets,
        samples: () => this.#durations(),
      },
    ];
  }

  /** Resources for which there was a request that no filter refused. */
  *requested(): Iterable<RequestedResource> {
    for (const {
      labels: [, , group = '', resource = '', , subresource = '', , version = ''],
      codes,
    } of this.#series) {
      if (resource !== '' && [...codes.keys()].some((code) => !refusals.has(code)))
        yield { group, version, resource, subresource };
    }
  }

  *#totals(): Iterable<Sample> {
    for (const { labels, codes } of this.#series)
      for (const [code, count] of codes) yield { labels: [String(code), ...labels], value: count };
  }

  #durations(): Iterable<Sample> {
    return this.#series.map(({ labels, counts, sum, codes }) => ({
      labels,
      value: { counts, sum, count: codes.values().reduce((all, count) => all + count, 0) },
    }));
  }
}

function labelsOf(context: RequestContext, dryRun: string): string[] {
  const { exchange, info } = context;
  if (!info.isResourceRequest) return ['', '', '', '', '', paths.has(info.path) ? info.path : '', exchange.method, ''];
  return [
    'apiserver',
    dryRun,
    info.apiGroup,
    info.resource,
    scopeOf(context),
    info.subresource,
    verbs.get(info.verb) ?? info.verb.toUpperCase(),
    info.apiVersion,
  ];
}

function scopeOf({ info }: RequestContext): string {
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
