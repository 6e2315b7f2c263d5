import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, get, type Request } from '#test/conformance/series/series.ts';
import type { RuleCase } from './rule-case.ts';

const path = (version: string, name = ''): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers${name === '' ? '' : `/${name}`}`;
const prefix = 'autoscaling.alpha.kubernetes.io/';

const policies = '"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":5}]';
const resource = (more: string): string => `[{"type":"Resource","resource":{"name":"memory",${more}}}]`;

/** Texts that encoding/json decodes, decodes in another case, or refuses, in part or as a whole. */
const texts: Readonly<Record<string, readonly string[]>> = {
  behavior: [
    '{}',
    'null',
    '[null]',
    'junk',
    '',
    '{"ScaleUp":5}',
    '{"ScaleUp":null}',
    '{"ScaleUp":{"StabilizationWindowSeconds":5}}',
    '{"ScaleUp":{"Policies":[]}}',
    '{"scaleup":{"policies":[{"type":"Pods","VALUE":1,"periodseconds":5}],"selectpolicy":"Max"}}',
    '{"ScaleUp":null,"scaleDown":{"policies":[null]}}',
    `{"ScaleUp":{${policies},"Tolerance":"1x"}}`,
    `{"ScaleUp":{${policies},"Tolerance":0.5}}`,
    `{"ScaleUp":{${policies}},"scaleup":{"SelectPolicy":"Min","Policies":[{"Value":7}]}}`,
    '{"ScaleUp":{"Policies":[{"Type":"Pods","Value":1.5,"PeriodSeconds":5}]}}',
    '{"ScaleUp":{"Policies":[{"Type":"Pods","Value":2147483648,"PeriodSeconds":5}]}}',
    '{"\\u0053cale\\u017fup":5,"\\u017fcaleUp":{"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":5}]}}',
  ],
  metrics: [
    '[]',
    '{}',
    'null',
    'junk',
    '[null]',
    '[5]',
    '[{}]',
    '[{"type":"Resource"}]',
    '[{"TYPE":"Resource","Resource":{"NAME":"memory","targetaveragevalue":"1000Mi"}}]',
    resource('"targetAverageValue":"1x"'),
    resource('"targetAverageValue":5'),
    resource('"targetAverageValue":" 5 "'),
    resource('"targetAverageValue":"\\u0035"'),
    resource('"targetAverageValue":{}'),
    resource('"targetAverageValue":null'),
    resource('"targetAverageUtilization":"5"'),
    '[{"type":"Pods","pods":{"metricName":"a"}}]',
    '[{"type":"Object","object":{"metricName":"a","target":{"kind":"S","name":"w"},"targetValue":"0","averageValue":"3"}}]',
    '[{"type":"External","external":{"metricName":"q","metricSelector":{"matchLabels":{"a":"b","c":null}},"targetValue":"4"}}]',
    '[{"type":"External","external":{"metricName":"q","metricSelector":{"matchLabels":{"a":5}},"targetValue":"4"}}]',
    '[{"type":"External","external":{"metricName":"q","metricSelector":{"matchExpressions":[{"KEY":"k","operator":"In","values":["v"]}]},"targetAverageValue":"4"}}]',
    '[{"type":"ContainerResource","containerResource":{"name":"cpu","container":"c","targetAverageUtilization":50}}]',
    '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":50}}]',
    '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":50}},{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":60}}]',
  ],
  'current-metrics': [
    '[]',
    '[null]',
    'junk',
    '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":3,"currentAverageValue":"1"}}]',
    '[{"type":"Resource","resource":{"name":"cpu","currentAverageValue":"junk"}}]',
    '[{"type":"Pods","pods":{"metricName":"a","currentAverageValue":"2"}},{"type":"External","external":{"metricName":"b","currentValue":"3"}}]',
  ],
  conditions: [
    '[]',
    '[null]',
    '[{"Type":"A"}]',
    '[{"type":"AbleToScale","status":"True","reason":"r","message":"m","lastTransitionTime":"2020-01-01T00:00:00Z"}]',
    '[{"type":"AbleToScale","status":"True","lastTransitionTime":"junk"}]',
    '[{"type":"AbleToScale","status":"True","lastTransitionTime":5}]',
  ],
  'scale-down-tolerance': ['1', 'x'],
  'scale-up-tolerance': ['1', 'x'],
};

const spec = { maxReplicas: 2, scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'D', name: 'd' } };
const autoscaler = (name: string, annotations: JsonObject, more: JsonObject = {}): JsonValue => ({
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, annotations },
  spec,
  ...more,
});

/** Written in every way as v1, and once as v2, and read as both. */
function writes(run: string, annotations: JsonObject): readonly Request[] {
  const [created, old, changed] = [`${run}-created`, `${run}-v2`, `${run}-changed`];
  const status = { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 7 };
  const applied = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { annotations } };
  return [
    { method: 'POST', path: path('v1'), body: autoscaler(created, { ...annotations, other: 'x' }) },
    get(path('v2', created)),
    {
      method: 'POST',
      path: path('v2'),
      body: { metadata: { name: old, annotations }, spec },
    },
    {
      method: 'POST',
      path: path('v1'),
      body: autoscaler(changed, {}, { spec: { ...spec, targetCPUUtilizationPercentage: 5 } }),
    },
    { method: 'PATCH', path: path('v1', changed), body: { metadata: { annotations } } },
    { method: 'PUT', path: path('v1', changed), body: autoscaler(changed, annotations) },
    { method: 'PUT', path: `${path('v1', changed)}/status`, body: autoscaler(changed, annotations, { status }) },
    get(path('v2', changed)),
    {
      method: 'PATCH',
      path: `${path('v1', changed)}/status`,
      body: { metadata: { annotations }, status: { currentReplicas: 2 } },
    },
    apply(path('v1', changed), 'a', applied),
    apply(`${path('v1', changed)}/status`, 'b', { ...applied, status: { currentReplicas: 2, desiredReplicas: 1 } }),
    get(path('v2', changed)),
    get(path('v1', changed)),
  ];
}

export const autoscalerCases: readonly RuleCase[] = Object.entries(texts).map(([key, values]) => ({
  name: `autoscaler with ${key}`,
  covers: [prefix + key],
  requests: (run) => values.flatMap((text, index) => writes(`${run}-${index}`, { [prefix + key]: text })),
}));
