import { namespaceOf, patch, post, tryPost, type PluginCase } from './plugin-case.ts';

type Json = Record<string, unknown>;

const apiVersion = 'scheduling.k8s.io/v1alpha2';
const gang = { gang: { minCount: 1 } };

function pathOf(plugin: string, resource: string): string {
  return `/apis/${apiVersion}/namespaces/${namespaceOf(plugin)}/${resource}`;
}

function podGroup(name: string, spec: Json = {}, metadata: Json = {}): Json {
  return { apiVersion, kind: 'PodGroup', metadata: { name, ...metadata }, spec: { schedulingPolicy: gang, ...spec } };
}

function ofTemplate(podGroupTemplateName: string): Json {
  return { podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName } } };
}

const jobs = `/apis/batch/v1/namespaces/${namespaceOf('JobValidation')}/jobs`;

function job(name: string, podGroupName: string): Json {
  const containers = [{ name: 'c', image: 'i' }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      parallelism: 2,
      completions: 4,
      template: { spec: { containers, restartPolicy: 'Never', schedulingGroup: { podGroupName } } },
    },
  };
}

/** Plugins about workloads and their pod groups, which are behind the gate GenericWorkload. */
export const schedulingCases: readonly PluginCase[] = [
  {
    plugin: 'PodGroupProtection',
    admits: tryPost(
      pathOf('PodGroupProtection', 'podgroups'),
      podGroup('g', {}, { finalizers: ['scheduling.k8s.io/podgroup-protection'] }),
      'metadata.finalizers',
    ),
    changes: tryPost(pathOf('PodGroupProtection', 'podgroups'), podGroup('g'), 'metadata.finalizers'),
  },
  {
    plugin: 'PodGroupWorkloadExists',
    given: [
      post(pathOf('PodGroupWorkloadExists', 'workloads'), {
        apiVersion,
        kind: 'Workload',
        metadata: { name: 'w' },
        spec: { podGroupTemplates: [{ name: 't', schedulingPolicy: gang }] },
      }),
    ],
    admits: tryPost(pathOf('PodGroupWorkloadExists', 'podgroups'), podGroup('g', ofTemplate('t')), 'spec'),
    refuses: tryPost(pathOf('PodGroupWorkloadExists', 'podgroups'), podGroup('g', ofTemplate('u'))),
  },
  {
    plugin: 'JobValidation',
    given: [
      post(pathOf('JobValidation', 'podgroups'), podGroup('gang')),
      post(pathOf('JobValidation', 'podgroups'), podGroup('basic', { schedulingPolicy: { basic: {} } })),
      post(jobs, job('in-gang', 'gang')),
      post(jobs, job('alone', 'basic')),
    ],
    admits: patch(`${jobs}/alone?dryRun=All`, { spec: { parallelism: 3 } }, 'spec.parallelism'),
    refuses: patch(`${jobs}/in-gang?dryRun=All`, { spec: { parallelism: 3 } }),
  },
];
