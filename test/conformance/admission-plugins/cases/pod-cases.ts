import { pod } from '#test/integration/admission/pod.ts';
import { annotated, pathIn, post, tryPost, type CaseStep, type PluginCase } from './plugin-case.ts';

type Json = Record<string, unknown>;

const everything = { tolerations: [{ operator: 'Exists' }] };

/** A pod that is not stored. */
function tryPod(plugin: string, body: Json, ...show: string[]): CaseStep {
  return tryPost(pathIn(plugin, 'pods'), body, ...show);
}

function spreadOver(topologyKey: string): Json {
  const terms = [{ topologyKey, labelSelector: {} }];
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
const memory = (limit: string): Json => ({ resources: { limits: { memory: limit } } });
const gpu = { resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } };

/** Plugins that look at a pod alone, or at objects that it names. */
export const podCases: readonly PluginCase[] = [
  {
    plugin: 'LimitPodHardAntiAffinityTopology',
    admits: tryPod('LimitPodHardAntiAffinityTopology', pod('a', spreadOver('kubernetes.io/hostname'))),
    refuses: tryPod('LimitPodHardAntiAffinityTopology', pod('a', spreadOver('zone'))),
  },
  {
    plugin: 'LimitRanger',
    given: [
      post(pathIn('LimitRanger', 'limitranges'), {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'l' },
        spec: { limits: [{ type: 'Container', default: { memory: '2Gi' }, max: { memory: '4Gi' } }] },
      }),
    ],
    admits: tryPod('LimitRanger', pod('a', {}, memory('3Gi')), 'spec.containers.0.resources'),
    changes: tryPod('LimitRanger', pod('a'), 'spec.containers.0.resources'),
    refuses: tryPod('LimitRanger', pod('a', {}, memory('5Gi'))),
  },
  {
    plugin: 'ServiceAccount',
    admits: tryPod('ServiceAccount', pod('a', { nodeName: 'n' }, {}, mirror), 'spec.serviceAccountName'),
    changes: tryPod('ServiceAccount', pod('a'), 'spec.serviceAccountName', 'spec.volumes', 'spec.containers'),
    refuses: tryPod('ServiceAccount', pod('a', { serviceAccountName: 'none' })),
  },
  {
    plugin: 'AlwaysPullImages',
    admits: tryPod(
      'AlwaysPullImages',
      pod('a', {}, { imagePullPolicy: 'Always' }),
      'spec.containers.0.imagePullPolicy',
    ),
    changes: tryPod(
      'AlwaysPullImages',
      pod('a', {}, { imagePullPolicy: 'Never' }),
      'spec.containers.0.imagePullPolicy',
    ),
  },
  {
    plugin: 'ImagePolicyWebhook',
    admits: tryPod('ImagePolicyWebhook', pod('a', {}, { image: 'good' }), 'metadata.annotations'),
    refuses: tryPod('ImagePolicyWebhook', pod('a', {}, { image: 'bad' })),
  },
  {
    plugin: 'PodSecurity',
    given: [annotated('PodSecurity', { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } })],
    admits: tryPod('PodSecurity', pod('a')),
    refuses: tryPod('PodSecurity', pod('a', { hostNetwork: true })),
  },
  {
    plugin: 'PodNodeSelector',
    given: [annotated('PodNodeSelector', { annotations: { 'scheduler.alpha.kubernetes.io/node-selector': 'zone=b' } })],
    admits: tryPod('PodNodeSelector', pod('a', { nodeSelector: { zone: 'b' } }), 'spec.nodeSelector'),
    changes: tryPod('PodNodeSelector', pod('a'), 'spec.nodeSelector'),
    refuses: tryPod('PodNodeSelector', pod('a', { nodeSelector: { zone: 'c' } })),
  },
  {
    plugin: 'Priority',
    admits: tryPod('Priority', pod('a', { priority: 0 }), 'spec.priority'),
    changes: tryPod('Priority', pod('a'), 'spec.priority', 'spec.preemptionPolicy'),
    refuses: tryPod('Priority', pod('a', { priorityClassName: 'none' })),
  },
  {
    plugin: 'DefaultTolerationSeconds',
    admits: tryPod('DefaultTolerationSeconds', pod('a', everything), 'spec.tolerations'),
    changes: tryPod('DefaultTolerationSeconds', pod('a'), 'spec.tolerations'),
  },
  {
    plugin: 'PodTolerationRestriction',
    given: [
      annotated('PodTolerationRestriction', {
        annotations: {
          'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"own","operator":"Exists"}]',
          'scheduler.alpha.kubernetes.io/tolerationsWhitelist':
            '[{"key":"own","operator":"Exists"},{"operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]',
        },
      }),
    ],
    admits: tryPod('PodTolerationRestriction', pod('a', { tolerations: [{ key: 'own', operator: 'Exists' }] })),
    changes: tryPod('PodTolerationRestriction', pod('a'), 'spec.tolerations'),
    refuses: tryPod('PodTolerationRestriction', pod('a', everything)),
  },
  {
    plugin: 'ExtendedResourceToleration',
    admits: tryPod('ExtendedResourceToleration', pod('a', everything), 'spec.tolerations'),
    changes: tryPod('ExtendedResourceToleration', pod('a', everything, gpu), 'spec.tolerations'),
  },
  {
    plugin: 'RuntimeClass',
    given: [
      post('/apis/node.k8s.io/v1/runtimeclasses', {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name: 'case' },
        handler: 'h',
        overhead: { podFixed: { cpu: '100m' } },
      }),
    ],
    admits: tryPod('RuntimeClass', pod('a', { runtimeClassName: 'case', overhead: { cpu: '100m' } }), 'spec.overhead'),
    changes: tryPod('RuntimeClass', pod('a', { runtimeClassName: 'case' }), 'spec.overhead'),
    refuses: tryPod('RuntimeClass', pod('a', { runtimeClassName: 'none' })),
  },
];
