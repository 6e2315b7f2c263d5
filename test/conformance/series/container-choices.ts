import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { get, type Request, type Series } from './series.ts';

const core = '/api/v1/namespaces/default';

/** Names of containers that a pod may be asked about. */
function containers(run: string): readonly Request[] {
  const named = (...names: string[]): JsonValue => names.map((name) => ({ name, image: 'i' }));
  const pods: readonly (readonly [string, JsonObject])[] = [
    ['one', { containers: named('a') }],
    ['two', { containers: named('b', 'a') }],
    ['first', { initContainers: named('z', 'i'), containers: named('b', 'a') }],
    ['single', { initContainers: named('z'), containers: named('a') }],
  ];
  return pods.flatMap(([name, spec]): Request[] => [
    {
      method: 'POST',
      path: `${core}/pods`,
      body: { metadata: { name: `${run}-${name}` }, spec: { ...spec, nodeName: 'nowhere' } },
    },
    {
      method: 'PATCH',
      path: `${core}/pods/${run}-${name}/ephemeralcontainers`,
      body: { spec: { ephemeralContainers: named('e') } },
    },
    ...[
      'log',
      'log?container=',
      'log?container=x',
      'log?container=z',
      'log?container=e',
      'exec?command=x',
      'exec?command=x&container=x',
      'attach',
      'attach?container=x',
      'exec',
    ].map((path) => get(`${core}/pods/${run}-${name}/${path}`)),
    { method: 'DELETE', path: `${core}/pods/${run}-${name}?gracePeriodSeconds=0` },
  ]);
}

export const containerChoiceSeries: readonly Series[] = [
  { name: 'details: containers that are asked for', requests: containers },
];
