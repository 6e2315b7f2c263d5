import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const groups = ['/api/v1', '/apis/events.k8s.io/v1'];
const fields = [
  'involvedObject.kind=Pod',
  'involvedObject.name=p',
  'involvedObject.namespace=default',
  'involvedObject.uid=u',
  'involvedObject.apiVersion=v1',
  'involvedObject.resourceVersion=7',
  'involvedObject.fieldPath=spec',
  'reason=Tested',
  'reason!=Tested',
  'type=Normal',
  'source=example.com/a',
  'source=example.com/b',
  'reportingComponent=example.com/a',
  'reportingController=example.com/a',
  'metadata.name=none',
  'action=Testing',
  'regarding=x',
];

/** Each event is looked for by every field, under the names that both groups give it. */
function requests(run: string): readonly Request[] {
  const object: JsonObject = {
    kind: 'Pod',
    namespace: 'default',
    name: 'p',
    uid: 'u',
    apiVersion: 'v1',
    resourceVersion: '7',
    fieldPath: 'spec',
  };
  const eventTime = '2024-01-02T03:04:05.000006Z';
  const labels = { run };
  const all = [...fields, ...fields.map((field) => field.replace('involvedObject', 'regarding'))];
  return [
    {
      method: 'POST',
      path: '/apis/events.k8s.io/v1/namespaces/default/events',
      body: {
        metadata: { name: `${run}-new`, labels },
        regarding: object,
        reason: 'Tested',
        action: 'Testing',
        type: 'Normal',
        eventTime,
        reportingController: 'example.com/a',
        reportingInstance: 'a',
      },
    },
    {
      method: 'POST',
      path: '/api/v1/namespaces/default/events',
      body: {
        metadata: { name: `${run}-old`, labels },
        involvedObject: object,
        reason: 'Tested',
        type: 'Warning',
        source: { component: 'example.com/b' },
      },
    },
    ...groups.flatMap((group) =>
      all.flatMap((field): Request[] => [
        {
          method: 'GET',
          path: `${group}/namespaces/default/events?labelSelector=run%3D${run}&fieldSelector=${encodeURIComponent(field)}`,
        },
        {
          method: 'GET',
          path: `${group}/events?labelSelector=run%3D${run}&fieldSelector=${encodeURIComponent(field)}`,
        },
      ]),
    ),
    ...groups.map((group): Request => ({
      method: 'DELETE',
      path: `${group}/namespaces/default/events?labelSelector=run%3D${run}`,
    })),
  ];
}

export const eventFieldSeries: readonly Series[] = [{ name: 'events by their fields, in both groups', requests }];
