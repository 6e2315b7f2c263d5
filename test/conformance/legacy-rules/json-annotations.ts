import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { get, type Request } from '#test/conformance/series/series.ts';
import { annotate, post } from './requests.ts';
import type { RuleCase } from './rule-case.ts';

const pods = '/api/v1/namespaces/default/pods';
const templates = '/api/v1/namespaces/default/podtemplates';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const nodes = '/api/v1/nodes';
const prefix = 'scheduler.alpha.kubernetes.io/';
const spec: JsonObject = { containers: [{ name: 'c', image: 'i' }] };

const tolerations = [
  '',
  ' ',
  'junk',
  'null',
  '{}',
  '5',
  '[]',
  '[null]',
  '["x"]',
  '[{}]',
  '[{"Key":"a"}]',
  '[{"key":"a","operator":"Exists"},{"KEY":"b","Operator":"Equal","value":"-"}]',
  '[{"operator":"Exists"},{"operator":"Exists","value":"x"}]',
  '[{"operator":"In","key":"a"}]',
  '[{"operator":"Lt","key":"a","value":"5"}]',
  '[{"key":"a/b/c","effect":"Never"}]',
  '[{"key":"a","tolerationSeconds":5}]',
  '[{"key":"a","effect":"NoExecute","TolerationSeconds":5}]',
  '[{"key":5}]',
  '[{"key":"a","tolerationSeconds":"5"}]',
  '[{"key":"a","tolerationSeconds":1.5},{"key":7}]',
  '[{"key":"a"}',
];
const taints = [
  '',
  'junk',
  '{}',
  '[null]',
  '[{"key":"a","effect":"NoSchedule"}]',
  '[{"key":"a","effect":"NoSchedule"},{"Key":"a","Effect":"NoSchedule","value":"v"}]',
  '[{"key":"a","value":"-","effect":"Never"}]',
  '[{"key":"a","effect":"NoSchedule","timeAdded":"2020-01-01T00:00:00Z"},{"key":"a","effect":"NoSchedule"}]',
  '[{"key":"a","effect":"NoSchedule","timeAdded":5}]',
  '[{"key":5}]',
];
const controller = '"kind":"ReplicationController","name":"n","uid":"u"';
const avoided = (reference: string): string => `{"preferAvoidPods":[{"podSignature":{"podController":${reference}}}]}`;
const avoidances = [
  '',
  'junk',
  '[]',
  'null',
  '{}',
  '{"preferAvoidPods":null}',
  '{"preferAvoidPods":[null]}',
  '{"preferAvoidPods":[{}]}',
  '{"PREFERAVOIDPODS":[{}]}',
  '{"preferAvoidPods":{}}',
  '{"preferAvoidPods":[{"podSignature":5}]}',
  '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":"x"}}}]}',
  '{"preferAvoidPods":[{"evictionTime":"junk"}]}',
  avoided(`{${controller},"controller":true}`),
  avoided(`{${controller},"controller":false}`),
  avoided('null'),
];

const pod = (name: string, annotations: JsonObject, more: JsonObject = {}): JsonValue => ({
  metadata: { name, annotations },
  spec: { ...spec, ...more },
});
const template = (annotations: JsonObject): JsonObject => ({ metadata: { labels: { a: 'b' }, annotations }, spec });

/** A pod, templates of two kinds, and changes of each. */
function ofPods(run: string, annotations: JsonObject): readonly Request[] {
  return [
    post(pods, pod(run, annotations)),
    post(templates, { metadata: { name: run }, template: template(annotations) }),
    post(deployments, {
      metadata: { name: run },
      spec: { selector: { matchLabels: { a: 'b' } }, template: template(annotations) },
    }),
    post(pods, pod(`${run}-changed`, {})),
    annotate(`${pods}/${run}-changed`, annotations),
    annotate(`${pods}/${run}-changed/status`, annotations),
    get(`${pods}/${run}-changed`),
  ];
}

function ofNodes(run: string, annotations: JsonObject): readonly Request[] {
  const node = `${nodes}/${run}-changed`;
  return [
    post(nodes, { metadata: { name: run, annotations } }),
    post(nodes, { metadata: { name: `${run}-changed` } }),
    annotate(node, annotations),
    annotate(`${node}/status`, annotations),
    get(node),
    { method: 'DELETE', path: `${nodes}/${run}` },
    { method: 'DELETE', path: node },
  ];
}

const mirror = { 'kubernetes.io/config.mirror': 'x' };
const claims = { resourceClaims: [{ name: 'a', resourceClaimName: 'b' }, { name: 'c' }] };

export const jsonAnnotationCases: readonly RuleCase[] = [
  {
    name: 'pods with tolerations',
    covers: [`${prefix}tolerations`],
    requests: (run) =>
      tolerations.flatMap((text, index) => ofPods(`${run}-${index}`, { [`${prefix}tolerations`]: text })),
  },
  {
    name: 'nodes with taints',
    covers: [`${prefix}taints`],
    requests: (run) => taints.flatMap((text, index) => ofNodes(`${run}-${index}`, { [`${prefix}taints`]: text })),
  },
  {
    name: 'nodes with preferAvoidPods',
    covers: [`${prefix}preferAvoidPods`],
    requests: (run) =>
      avoidances.flatMap((text, index) => ofNodes(`${run}-${index}`, { [`${prefix}preferAvoidPods`]: text })),
  },
  {
    name: 'mirror pods with claims',
    covers: ['kubernetes.io/config.mirror'],
    requests: (run) => [
      post(pods, pod(`${run}-without-node`, mirror)),
      post(pods, pod(`${run}-with-node`, mirror, { nodeName: 'n' })),
      post(pods, pod(`${run}-with-claims`, mirror, { nodeName: 'n', ...claims })),
      post(pods, pod(`${run}-claims`, {}, claims)),
      annotate(`${pods}/${run}-with-node`, { 'kubernetes.io/config.mirror': 'y' }),
      annotate(`${pods}/${run}-with-node`, { 'kubernetes.io/config.mirror': null }),
      post(templates, { metadata: { name: run }, template: { ...template(mirror), spec: { ...spec, ...claims } } }),
      post(deployments, {
        metadata: { name: run },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { ...template(mirror), spec: { ...spec, ...claims, nodeName: 'n' } },
        },
      }),
    ],
  },
];
