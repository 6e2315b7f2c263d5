import { stringAt } from '#shared/apimachinery/object.ts';
import type { WebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import type { AuditedRequest } from './event-log.ts';
import { hooks, webhookConfiguration } from './hook-requests.ts';
import { get, make, map, patch, type SpecialRequest } from './special-requests.ts';

const ns = '/api/v1/namespaces/special';
const prefix = 'apiserver.latency.k8s.io/';
const goDuration = /^(?:\d+h)?(?:\d+m)?\d+(?:\.\d*[1-9])?(?:s|ms|µs|ns)$/;

/** Webhooks of ConfigMaps that take some 300 ms each. */
export function slowPreparation(server: WebhookServer): readonly SpecialRequest[] {
  return (['Mutating', 'Validating'] as const).map((kind) =>
    make(
      webhookConfiguration(kind),
      hooks(server, kind, 'configmaps', ['slow', kind === 'Mutating' ? 'slow-label' : 'slow']),
    ),
  );
}

/** Requests of more than 500 ms, whose events tell where the time went, and some that are faster. */
export const slowRequests: readonly SpecialRequest[] = [
  make(`${ns}/configmaps`, map('slow')),
  make(`${ns}/configmaps`, map('slow')),
  make(`${ns}/configmaps?dryRun=All`, map('slow-dry')),
  patch(`${ns}/configmaps/slow`, 'merge-patch+json', '{"metadata":{"labels":{"m":"1"}}}'),
  { ...make(`${ns}/configmaps`, map('slow-table')), headers: tableHeaders() },
  make(`${ns}/configmaps`, map('slow-impersonated'), {
    'impersonate-user': 'jane',
    'impersonate-group': 'system:masters',
  }),
  { method: 'DELETE', path: `${ns}/configmaps/slow` },
  { method: 'DELETE', path: `${ns}/configmaps` },
  get(`${ns}/configmaps`),
  get(`${ns}/configmaps?watch=1&timeoutSeconds=1`),
];

function tableHeaders(): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
}

/** The layers of the last event. */
function layersOf(request: AuditedRequest | undefined): Map<string, string> {
  const annotations = Object(request?.events.at(-1)?.['annotations']) as Record<string, string>;
  return new Map(
    Object.entries(annotations).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
    ),
  );
}

/** What differs in the layers of a request. Of their times only the form is compared. */
export function layerDifferences(want: AuditedRequest | undefined, have: AuditedRequest | undefined): string[] {
  const [theirs, ours] = [layersOf(want), layersOf(have)];
  const missing = [...theirs.keys()].filter((layer) => !ours.has(layer) && !explainedLayers.has(layer));
  const added = [...ours.keys()].filter((layer) => !theirs.has(layer) && !explainedLayers.has(layer));
  const odd = [...ours].filter(([, value]) => !goDuration.test(value));
  return [
    ...missing.map((layer) => `${stage(have)}: no latency of ${layer}, which is ${theirs.get(layer)} there`),
    ...added.map((layer) => `${stage(have)}: a latency of ${layer}, ${ours.get(layer)}`),
    ...odd.map(([layer, value]) => `${stage(have)}: ${layer} is ${value}`),
  ];
}

function stage(request: AuditedRequest | undefined): string {
  return stringAt(request?.events.at(-1) ?? {}, 'stage');
}

/** The reference measures reads of etcd only, since its writes go another way (etcd3/latency_tracker.go). */
const explainedLayers: ReadonlySet<string> = new Set(['etcd']);
