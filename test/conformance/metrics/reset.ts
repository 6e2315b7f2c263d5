import { setTimeout as pause } from 'node:timers/promises';
import type { Side } from '#test/compare/pair.ts';
import { ask, metricsOf } from './side.ts';

const settleMs = 100;
/** Families whose samples are compared, as far as they are of ConfigMaps. */
const compared = [
  'apiserver_request_total',
  'apiserver_request_body_size_bytes',
  'apiserver_response_sizes',
  'apiserver_watch_events_total',
  'apiserver_admission_webhook_request_total',
  'apiserver_validating_admission_policy_check_total',
  'pod_security_errors_total',
];

/** What DELETE does to gauges with labels that have series: whether most of them are gone. */
export async function gaugesAfterReset(side: Side): Promise<ReadonlyMap<string, 'gone' | 'there'>> {
  const before = await metricsOf(side);
  await ask(side, { method: 'DELETE', path: '/metrics', accept: 'text/plain' });
  const after = await metricsOf(side);
  const gauges = [...before].filter(([, { type, labelNames }]) => type === 'gauge' && labelNames.size > 0);
  return new Map(
    gauges.map(([name, { values }]) => {
      const left = after.get(name)?.values.size ?? 0;
      return [name, left * 2 < values.size ? 'gone' : 'there'];
    }),
  );
}

/** What DELETE of `/metrics` answers, and what is shown after it and one request. */
export async function afterReset(side: Side): Promise<readonly string[]> {
  const { status, text } = await ask(side, { method: 'DELETE', path: '/metrics', accept: 'text/plain' });
  await ask(side, { path: '/api/v1/namespaces/counted/configmaps/none' });
  await pause(settleMs);
  const families = await metricsOf(side);
  const lines = compared.flatMap((name) =>
    [...(families.get(name)?.values ?? [])]
      .filter(([labels]) => !labels.includes('resource=') || labels.includes('resource="configmaps"'))
      .map(([labels, count]) => `${name} ${labels} ${count}`),
  );
  return [`${status} ${text}`, ...lines];
}
