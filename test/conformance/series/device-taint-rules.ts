import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

// Taints that somebody puts on devices: for servers with every feature.

const rules = '/apis/resource.k8s.io/v1beta2/devicetaintrules';
const older = '/apis/resource.k8s.io/v1alpha3/devicetaintrules';
const long = (bytes: number): string => 'x'.repeat(bytes);
const taint: JsonObject = {
  key: 'example.com/broken',
  value: 'yes',
  effect: 'NoSchedule',
  timeAdded: '2020-01-01T00:00:00Z',
};
const rule = (name: string, spec: JsonValue, more: JsonObject = {}, version = 'v1beta2'): JsonObject => ({
  apiVersion: `resource.k8s.io/${version}`,
  kind: 'DeviceTaintRule',
  metadata: { name },
  spec,
  ...more,
});
const condition = (more: JsonObject): JsonObject => ({
  type: 'EvictionInProgress',
  status: 'True',
  lastTransitionTime: '2020-01-01T00:00:00Z',
  reason: 'Fine',
  message: '',
  ...more,
});

const specs: readonly JsonValue[] = [
  null,
  {},
  { taint: {} },
  { taint },
  { deviceSelector: {}, taint },
  { deviceSelector: null, taint: null },
  ...['', 'a b', 'a/b/c', long(64), 'A'].flatMap((text): JsonObject[] => [
    { taint: { ...taint, key: text } },
    { taint: { ...taint, value: text } },
  ]),
  ...['', 'NoExecute', 'None', 'Odd', null].map((effect) => ({ taint: { ...taint, effect } })),
  ...['', 'D.example.com', 'a_b', long(64), 'a/b', '/', long(254), null].flatMap((text) =>
    ['driver', 'pool', 'device'].map((name) => ({ deviceSelector: { [name]: text }, taint })),
  ),
  { deviceSelector: { driver: '', pool: '', device: '' }, taint: { key: '', value: ' ', effect: 'x' } },
];

const changed: readonly JsonObject[] = [
  { taint },
  { taint: { ...taint, effect: '' } },
  { taint: { ...taint, effect: 'Odd' } },
  { taint: { ...taint, effect: 'NoExecute' } },
  { taint: { ...taint, value: 'a b' } },
  { deviceSelector: { driver: 'A' }, taint },
  { deviceSelector: { pool: 'A' }, taint },
  {},
];

const statuses: readonly JsonObject[] = [
  {},
  { conditions: [condition({})] },
  { conditions: [condition({}), condition({})] },
  { conditions: [condition({ status: 'Maybe', reason: '' })] },
  { conditions: Array.from({ length: 9 }, (_, index) => condition({ type: `t${index}` })) },
];

export const deviceTaintSeries: readonly Series[] = [
  {
    name: 'taints of devices: made',
    requests: (run) =>
      specs.flatMap((spec, index): Request[] => [
        { method: 'POST', path: rules, body: rule(`${run}-${index}`, spec, { status: statuses[1] ?? {} }) },
        { method: 'POST', path: older, body: rule(`${run}-${index}-old`, spec, {}, 'v1alpha3') },
      ]),
  },
  {
    name: 'taints of devices: changed',
    requests: (run) => [
      { method: 'POST', path: rules, body: rule(run, { taint }) },
      ...changed.flatMap((spec): Request[] => [
        { method: 'PUT', path: `${rules}/${run}`, body: rule(run, spec) },
        { method: 'PUT', path: `${older}/${run}`, body: rule(run, spec, {}, 'v1alpha3') },
      ]),
      ...statuses.flatMap((status): Request[] => [
        {
          method: 'PATCH',
          path: `${rules}/${run}/status`,
          body: { metadata: { labels: { a: 'b' } }, spec: { taint: { effect: 'x' } }, status },
        },
      ]),
      { method: 'GET', path: `${rules}/${run}`, headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } },
      { method: 'GET', path: `${older}/${run}` },
    ],
  },
  {
    name: 'taints of devices: applied by two',
    requests: (run) => [
      apply(`${rules}/${run}`, 'one', rule(run, { taint })),
      apply(`${older}/${run}`, 'two', rule(run, { taint: { ...taint, effect: 'NoExecute' } }, {}, 'v1alpha3')),
      apply(
        `${older}/${run}`,
        'two',
        rule(run, { taint: { ...taint, effect: 'NoExecute' } }, {}, 'v1alpha3'),
        '&force=true',
      ),
      apply(`${rules}/${run}/status`, 'two', rule(run, { taint }, { status: { conditions: [condition({})] } })),
      { method: 'GET', path: `${rules}/${run}` },
    ],
  },
];
