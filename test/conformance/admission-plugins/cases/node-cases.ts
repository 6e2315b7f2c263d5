import { pod } from '#test/integration/admission/pod.ts';
import { nodeToken } from '#test/integration/admission/tokens.ts';
import { patch, pathIn, post, tryPost, type CaseStep, type PluginCase } from './plugin-case.ts';

type Json = Record<string, unknown>;

const nodes = '/api/v1/nodes';

function node(name: string, rest: Json = {}, labels: Json = {}): Json {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, ...rest };
}

const amounts = (cpu: string): Json => ({ requests: { cpu, memory: '64Mi' }, limits: { cpu, memory: '64Mi' } });
const roomy = { allocatable: { cpu: '2', memory: '1Gi' } };

/** Resizes a container of a pod, or the whole pod. */
function resize(plugin: string, name: string, spec: Json): CaseStep {
  return patch(`${pathIn(plugin, 'pods')}/${name}/resize?dryRun=All`, { spec });
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const small = { containers: [{ name: 'c', image: 'i', resources: amounts('200m') }] };
const large = { containers: [{ name: 'c', image: 'i', resources: amounts('3') }] };

/** A pod on a node of the cases, with resources of its own. */
function podOn(nodeName: string): Json {
  return pod(`on-${nodeName}`, { nodeName, resources: amounts('200m') }, { resources: amounts('100m') });
}

/** Plugins about nodes, and about pods on their nodes. */
export const nodeCases: readonly PluginCase[] = [
  {
    plugin: 'NodeRestriction',
    admits: { ...tryPost(nodes, node('n1'), 'metadata.name'), token: nodeToken },
    refuses: { ...tryPost(nodes, node('n2')), token: nodeToken },
  },
  {
    plugin: 'TaintNodesByCondition',
    admits: tryPost(nodes, node('case-tainted', { spec: { taints: [notReady] } }), 'spec'),
    changes: tryPost(nodes, node('case-plain'), 'spec'),
  },
  {
    plugin: 'PodTopologyLabels',
    given: [post(nodes, node('case-zoned', {}, { 'topology.kubernetes.io/zone': 'z' }))],
    admits: tryPost(pathIn('PodTopologyLabels', 'pods'), pod('a'), 'metadata.labels'),
    changes: tryPost(pathIn('PodTopologyLabels', 'pods'), pod('a', { nodeName: 'case-zoned' }), 'metadata.labels'),
  },
  {
    plugin: 'NodeDeclaredFeatureValidator',
    given: [
      post(nodes, node('case-silent', { status: roomy })),
      post(
        nodes,
        node('case-able', { status: { ...roomy, declaredFeatures: ['InPlacePodLevelResourcesVerticalScaling'] } }),
      ),
      post(pathIn('NodeDeclaredFeatureValidator', 'pods'), podOn('case-able')),
      post(pathIn('NodeDeclaredFeatureValidator', 'pods'), podOn('case-silent')),
    ],
    admits: resize('NodeDeclaredFeatureValidator', 'on-case-able', { resources: amounts('300m') }),
    refuses: resize('NodeDeclaredFeatureValidator', 'on-case-silent', { resources: amounts('300m') }),
  },
  {
    plugin: 'PodResizeValidator',
    given: [
      post(nodes, node('case-roomy', { status: roomy })),
      post(pathIn('PodResizeValidator', 'pods'), pod('a', { nodeName: 'case-roomy' }, { resources: amounts('100m') })),
    ],
    admits: resize('PodResizeValidator', 'a', small),
    refuses: resize('PodResizeValidator', 'a', large),
  },
];
