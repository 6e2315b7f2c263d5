import { setTimeout as pause } from 'node:timers/promises';
import type { Side } from '#test/compare/pair.ts';
import { startWebhook, type TracedWebhook } from '#test/conformance/tracing/webhook-server.ts';
import type { SentRequest } from './requests.ts';
import { slowMs } from './slow-work.ts';

const configMaps = '/api/v1/namespaces/slow/configmaps';
const admission = '/apis/admissionregistration.k8s.io/v1';
const object = (data: object): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'slow' }, data });
const applied = { type: 'application/apply-patch+yaml', body: object({ b: 'applied' }) };

/** Each is slow by its webhooks. */
export const slowRequests: readonly SentRequest[] = [
  { method: 'POST', path: configMaps, body: object({}) },
  { method: 'PUT', path: `${configMaps}/slow`, body: object({ a: 'b' }) },
  { method: 'PATCH', path: `${configMaps}/slow`, body: '{"data":{"a":"c"}}', type: 'application/merge-patch+json' },
  {
    method: 'PATCH',
    path: `${configMaps}/slow`,
    body: '{"data":{"a":"d"}}',
    type: 'application/strategic-merge-patch+json',
  },
  { method: 'PATCH', path: `${configMaps}/slow?fieldManager=a&force=true`, ...applied },
  { method: 'DELETE', path: `${configMaps}/slow`, body: '{"gracePeriodSeconds":0}' },
  { method: 'POST', path: `${configMaps}?fieldValidation=Strict`, body: object({ c: 'd' }) },
  { method: 'DELETE', path: configMaps },
];

/** A webhook that takes its time, and is asked about all of {@link slowRequests}. */
export async function slowDown({ json }: Side): Promise<TracedWebhook> {
  const webhook = await startWebhook({ answersAfterMs: slowMs });
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
  const hook = {
    name: 'slow.quarterdeck.example',
    clientConfig: webhook.clientConfig,
    rules: [rule],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'slow' } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await json.call('POST', '/api/v1/namespaces', { metadata: { name: 'slow' } });
  for (const kind of ['mutating', 'validating'])
    await json.call('POST', `${admission}/${kind}webhookconfigurations`, {
      metadata: { name: 'slow' },
      webhooks: [hook],
    });
  for (let at = 0; webhook.traceparents.length < 2; at++) {
    await json.call('POST', `${configMaps}?dryRun=All`, { metadata: { name: `before-${at}` } });
    await pause(100);
  }
  return webhook;
}
