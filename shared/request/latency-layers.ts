/**
 * Where the time of a request goes, as events of slow requests tell it (`apiserver.latency.k8s.io/*`; apiserver
 * endpoints/request/webhook_duration.go). Times of one layer are summed up; of the layers with `longest` the longest
 * counts, since theirs may pass side by side.
 */
export const latencyLayers = {
  authentication: 'sum',
  authorization: 'longest',
  impersonation: 'sum',
  'apf-queue-wait': 'longest',
  'mutating-webhook': 'sum',
  'validating-webhook': 'longest',
  etcd: 'sum',
  'decode-response-object': 'sum',
  'transform-response-object': 'sum',
  'serialize-response-object': 'sum',
  'response-write': 'sum',
} as const;

export type LatencyLayer = keyof typeof latencyLayers;
