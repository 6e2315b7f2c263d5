import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { applyPodTemplateDefaults } from '#servers/core/apis/core/pods/pod-spec-defaults.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { type KubeObject, numberAt, objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateJobStatus } from './job-status-validation.ts';
import { validateJob, validateJobUpdate } from './job-validation.ts';
import { jobSpecWarnings } from './job-warnings.ts';
import { jobRows } from './rows.ts';

/** Defaults of a JobSpec. */
function applyJobSpecDefaults(spec: JsonObject, gates: Gates): void {
  if (numberAt(spec, 'completions') === undefined && numberAt(spec, 'parallelism') === undefined)
    spec['completions'] = 1;
  setDefault(spec, 'parallelism', 1);
  setDefault(spec, 'backoffLimit', numberAt(spec, 'backoffLimitPerIndex') === undefined ? 6 : 2_147_483_647);
  setDefault(spec, 'completionMode', 'NonIndexed');
  setDefault(spec, 'suspend', false);
  if (gates.JobPodReplacementPolicy)
    setDefault(spec, 'podReplacementPolicy', objectAt(spec, 'podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed');
  setDefault(spec, 'manualSelector', false);
  applyFailurePolicyDefaults(spec);
}

/** Sets the defaults of a failure policy, also within CronJobs. */
export function applyFailurePolicyDefaults(spec: JsonObject): void {
  for (const rule of objectsAt(objectAt(spec, 'podFailurePolicy'), 'rules')) {
    for (const pattern of objectsAt(rule, 'onPodConditions')) setDefaultText(pattern, 'status', 'True');
  }
}

/** Jobs (pkg/registry/batch/job). */
const jobStrategy = (dependencies: StrategyDependencies): Strategy => ({
  defaultGarbageCollection: 'orphan',
  orphanWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  applyDefaults(job) {
    const spec = ensureObject(job, 'spec');
    applyJobSpecDefaults(spec, dependencies.gates);
    const template = ensureObject(spec, 'template');
    applyPodTemplateDefaults(template, dependencies.gates);
    takeTemplateLabels(job);
  },
  prepareForCreate(job) {
    // Later writes cannot change `managedBy`, so creation alone drops it.
    if (!dependencies.gates.JobManagedBy) delete objectAt(job, 'spec')?.['managedBy'];
    generateSelector(job);
  },
  // The reference does this again when it reads a stored Job.
  canonicalize: takeTemplateLabels,
  validateInSteps: (job, old) =>
    old === undefined ? validateJob(job, dependencies) : validateJobUpdate(job, dependencies, old),
  validateStatusUpdate: (job, old) => validateJobStatus(job, old, dependencies.gates),
  selectableFields: (job) => ({ 'status.successful': String(numberAt(objectAt(job, 'status'), 'succeeded') ?? 0) }),
});

/**
 * Gives a Job without labels those of its pod template. Both share one map, so the labels that are generated for the
 * pods appear on the Job too, as in the reference.
 */
function takeTemplateLabels(job: KubeObject): void {
  const labels = objectAt(job, 'spec', 'template', 'metadata', 'labels');
  if (labels && Object.keys(labels).length > 0 && Object.keys(job.metadata.labels ?? {}).length === 0)
    job.metadata.labels = labels as Record<string, string>;
}

/** Makes Jobs without `manualSelector` select their pods by uid; the old unprefixed labels are still set. */
function generateSelector(job: KubeObject): void {
  const spec = ensureObject(job, 'spec');
  if (spec['manualSelector'] === true) return;
  const uid = job.metadata.uid ?? '';
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  setDefault(labels, 'job-name', job.metadata.name ?? '');
  setDefault(labels, 'batch.kubernetes.io/job-name', job.metadata.name ?? '');
  setDefault(labels, 'controller-uid', uid);
  setDefault(labels, 'batch.kubernetes.io/controller-uid', uid);
  const selector = ensureObject(spec, 'selector');
  setDefault(ensureObject(selector, 'matchLabels'), 'batch.kubernetes.io/controller-uid', uid);
}

export const jobResource = defineBuiltIn({
  group: 'batch',
  resource: 'jobs',
  rows: jobRows,
  strategy: jobStrategy,
  writes: {
    metadataOnUpdate: 'both',
    generation: 'spec',
  },
  gatedFields: [{ gates: ['JobPodReplacementPolicy'], fields: ['spec.podReplacementPolicy'] }],
  podHolder: {
    steps: ['spec', 'template'],
    namedAfter: 'Pod names and hostnames',
    holderWarnings: (job) => jobSpecWarnings(objectAt(job, 'spec'), path('spec')),
  },
});
