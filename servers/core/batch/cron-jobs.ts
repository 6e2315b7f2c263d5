import { ensureObject, setDefault, setDefaultText } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { applyPodTemplateDefaults } from '../core/pod-spec-defaults.ts';
import { applyFailurePolicyDefaults } from './jobs.ts';
import { validateCronJob } from './cron-job-validation.ts';

/** CronJobs (pkg/registry/batch/cronjob). The job template takes the defaults of pods and failure policies, the others of Jobs come with the Job. */
export const cronJobStrategy: Strategy = {
  applyDefaults(cronJob) {
    const spec = ensureObject(cronJob, 'spec');
    setDefaultText(spec, 'concurrencyPolicy', 'Allow');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'successfulJobsHistoryLimit', 3);
    setDefault(spec, 'failedJobsHistoryLimit', 1);
    const jobSpec = ensureObject(ensureObject(spec, 'jobTemplate'), 'spec');
    applyFailurePolicyDefaults(jobSpec);
    applyPodTemplateDefaults(ensureObject(jobSpec, 'template'));
  },
  validate: (_context, cronJob) => validateCronJob(cronJob),
  validateUpdate: (_context, cronJob) => validateCronJob(cronJob, true),
};
