import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { applyPodTemplateDefaults } from '#servers/core/apis/core/pods/pod-spec-defaults.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateCronJob } from './cron-job-validation.ts';
import { jobSpecWarnings } from './job-warnings.ts';
import { applyFailurePolicyDefaults } from './jobs.ts';
import { cronJobRows } from './rows.ts';

/**
 * CronJobs (pkg/registry/batch/cronjob). The job template gets the defaults of pods and failure policies; the other
 * defaults of Jobs are set when the Job is created.
 */
const cronJobStrategy = (dependencies: StrategyDependencies): Strategy => ({
  applyDefaults(cronJob) {
    const spec = ensureObject(cronJob, 'spec');
    setDefaultText(spec, 'concurrencyPolicy', 'Allow');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'successfulJobsHistoryLimit', 3);
    setDefault(spec, 'failedJobsHistoryLimit', 1);
    const jobSpec = ensureObject(ensureObject(spec, 'jobTemplate'), 'spec');
    applyFailurePolicyDefaults(jobSpec);
    applyPodTemplateDefaults(ensureObject(jobSpec, 'template'), dependencies.gates);
  },
  validateInSteps: (cronJob, old) => validateCronJob(cronJob, dependencies, old),
  // Creations need no warning: validation refuses a new schedule with a time zone.
  warningsOnUpdate: (cronJob) =>
    stringAt(cronJob, 'spec', 'schedule').includes('TZ')
      ? [
          'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
        ]
      : [],
});

export const cronJobResource = defineBuiltIn({
  group: 'batch',
  resource: 'cronjobs',
  rows: cronJobRows,
  strategy: cronJobStrategy,
  writes: {
    metadataOnStatusUpdate: 'none',
    generation: 'spec',
  },
  podHolder: {
    steps: ['spec', 'jobTemplate', 'spec', 'template'],
    namedAfter: 'Pod names and hostnames',
    holderWarnings: (cronJob) =>
      jobSpecWarnings(objectAt(cronJob, 'spec', 'jobTemplate', 'spec'), path('spec', 'jobTemplate', 'spec')),
  },
});
