import { get, type Request } from '#test/conformance/series/series.ts';
import type { RuleCase } from './rule-case.ts';

const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
const critical = `${classes}/system-node-critical`;
const finalizers = (value: readonly string[] | null): Request => ({
  method: 'PATCH',
  path: critical,
  body: { metadata: { finalizers: value === null ? null : [...value] } },
});
const deleted = (path: string, body = {}): Request => ({
  method: 'DELETE',
  path,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', ...body },
});

export const priorityClassCases: readonly RuleCase[] = [
  {
    name: 'system priority classes',
    requests: (run) => [
      deleted(critical),
      deleted(`${classes}/system-cluster-critical`),
      deleted(`${critical}?dryRun=All`),
      deleted(critical, { propagationPolicy: 'Bogus' }),
      deleted(critical, { preconditions: { uid: 'x' } }),
      deleted(`${classes}/system-unknown`),
      finalizers(['example.com/a']),
      deleted(critical),
      finalizers(null),
      { method: 'POST', path: classes, body: { metadata: { name: run }, value: 5 } },
      deleted(`${classes}/${run}`),
      // A collection is deleted with them, and a deleted class is refused as one that is there.
      deleted(`${classes}?dryRun=All&fieldSelector=metadata.name%3Dsystem-node-critical`),
      deleted(`${classes}?fieldSelector=metadata.name%3Dsystem-node-critical`),
      get(critical),
      deleted(critical),
      { method: 'POST', path: classes, body: { metadata: { name: 'system-node-critical' }, value: 5 } },
      { method: 'POST', path: classes, body: { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 } },
      deleted(critical),
    ],
  },
];
