/**
 * What the recording rules and alerts of the Kubernetes mixin ask of an API server
 * (github.com/kubernetes-monitoring/kubernetes-mixin, rules and alerts of kube_apiserver), put together from their
 * parts: names of rules, selectors, windows and bounds are theirs.
 */

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** An alert fires above or below a bound of its value. */
export interface AlertValue {
  readonly alert: string;
  readonly value: string;
}

type Kind = 'read' | 'write';

const job = 'job="kube-apiserver"';
const verbs = { read: 'verb=~"LIST|GET"', write: 'verb=~"POST|PUT|PATCH|DELETE"' } as const;
const kinds: readonly Kind[] = ['read', 'write'];
const notStreaming = 'subresource!~"proxy|attach|log|exec|portforward"';
/** Seconds in which a request is to be answered, by its scope. */
const promises = { read: { 'resource|': 1, namespace: 5, cluster: 30 }, write: { '.*': 1 } } as const;
const days = 30;
const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;

function rateOf(family: string, selectors: readonly string[], window: string): string {
  return `sum by (cluster) (rate(${family}{${[job, ...selectors].join()}}[${window}]))`;
}

/** The part of requests in a window that failed or were slower than promised. */
function burnRate(kind: Kind, window: string): string {
  const ofKind = [verbs[kind], notStreaming];
  const inTime = Object.entries(promises[kind]).map(([scope, seconds]) => {
    const selectors = [...ofKind, `scope=~"${scope}"`, `le=~"${seconds}(\\\\.0)?"`];
    return rateOf('apiserver_request_sli_duration_seconds_bucket', selectors, window);
  });
  const all = rateOf('apiserver_request_sli_duration_seconds_count', ofKind, window);
  const failed = rateOf('apiserver_request_total', [verbs[kind], 'code=~"5.."'], window);
  const total = rateOf('apiserver_request_total', [verbs[kind]], window);
  return `(${all} - (${inTime.join(' + ')}) + ${failed}) / ${total}`;
}

function increases(): RecordingRule[] {
  const span = `[${days}d]`;
  const total = 'code_verb:apiserver_request_total';
  const buckets = 'cluster_verb_scope_le:apiserver_request_sli_duration_seconds_bucket';
  const counts = 'cluster_verb_scope:apiserver_request_sli_duration_seconds_count';
  const inMonth = (hourly: string): string => `avg_over_time(${hourly}${span}) * 24 * ${days}`;
  return [
    ...['2..', '3..', '4..', '5..'].map((code) => ({
      record: `${total}:increase1h`,
      expr: `sum by (cluster, code, verb) (increase(apiserver_request_total{${job},verb=~"LIST|GET|POST|PUT|PATCH|DELETE",code=~"${code}"}[1h]))`,
    })),
    { record: `${total}:increase${days}d`, expr: inMonth(`${total}:increase1h`) },
    ...kinds.map((verb) => ({
      record: `code:apiserver_request_total:increase${days}d`,
      expr: `sum by (cluster, code) (${total}:increase${days}d{${verbs[verb]}})`,
      labels: { verb },
    })),
    {
      record: `${buckets}:increase1h`,
      expr: 'sum by (cluster, verb, scope, le) (increase(apiserver_request_sli_duration_seconds_bucket[1h]))',
    },
    {
      record: `${buckets}:increase${days}d`,
      expr: `sum by (cluster, verb, scope, le) (${inMonth(`${buckets}:increase1h`)})`,
    },
    ...['1h', `${days}d`].map((window) => ({
      record: `${counts}:increase${window}`,
      expr: `sum by (cluster, verb, scope) (${buckets}:increase${window}{le="+Inf"})`,
    })),
    ...kinds.map((verb) => ({
      record: `apiserver_request:availability${days}d`,
      expr: availability(verb, `${buckets}:increase${days}d`, `${counts}:increase${days}d`),
      labels: { verb },
    })),
  ];
}

function availability(kind: Kind, buckets: string, counts: string): string {
  const sum = (family: string, ...selectors: string[]): string => `sum by (cluster) (${family}{${selectors.join()}})`;
  const inTime = Object.entries(promises[kind]).map(([scope, seconds]) =>
    sum(buckets, verbs[kind], `scope=~"${scope}"`, `le=~"${seconds}(\\\\.0)?"`),
  );
  const codes = `code:apiserver_request_total:increase${days}d`;
  const failed = sum(codes, `verb="${kind}"`, 'code=~"5.."');
  return `1 - (${sum(counts, verbs[kind])} - (${inTime.join(' + ')}) + ${failed}) / ${sum(codes, `verb="${kind}"`)}`;
}

export const recordingRules: readonly RecordingRule[] = [
  ...kinds.flatMap((verb) =>
    windows.map((window) => ({
      record: `apiserver_request:burnrate${window}`,
      expr: burnRate(verb, window),
      labels: { verb },
    })),
  ),
  ...kinds.map((verb) => ({
    record: 'cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile',
    expr: `histogram_quantile(0.99, sum by (cluster, le, resource) (rate(apiserver_request_sli_duration_seconds_bucket{${job},${verbs[verb]},${notStreaming}}[5m]))) > 0`,
    labels: { verb, quantile: '0.99' },
  })),
  ...kinds.map((verb) => ({
    record: 'code_resource:apiserver_request_total:rate5m',
    expr: `sum by (cluster, code, resource) (rate(apiserver_request_total{${job},${verbs[verb]}}[5m]))`,
    labels: { verb },
  })),
  ...increases(),
];

const ends = rateOf('apiserver_request_terminations_total', [], '10m');

export const alertValues: readonly AlertValue[] = [
  ...windows.map((window) => ({
    alert: 'KubeAPIErrorBudgetBurn',
    value: `sum by (cluster) (apiserver_request:burnrate${window})`,
  })),
  {
    alert: 'KubeClientCertificateExpiration',
    value: `apiserver_client_certificate_expiration_seconds_count{${job}} > 0 and on (cluster) histogram_quantile(0.01, sum by (cluster, le) (rate(apiserver_client_certificate_expiration_seconds_bucket{${job}}[5m])))`,
  },
  {
    alert: 'KubeAggregatedAPIErrors',
    value: `sum by (name, namespace, cluster) (increase(aggregator_unavailable_apiservice_total{${job}}[10m]))`,
  },
  {
    alert: 'KubeAggregatedAPIDown',
    value: `(1 - max by (name, namespace, cluster) (avg_over_time(aggregator_unavailable_apiservice{${job}}[10m]))) * 100`,
  },
  { alert: 'KubeAPIDown', value: `up{${job}} == 1` },
  {
    alert: 'KubeAPITerminatedRequests',
    value: `${ends} / (${rateOf('apiserver_request_total', [], '10m')} + ${ends})`,
  },
];
