import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { cronJobResource } from './cron-jobs.ts';
import { jobResource } from './jobs.ts';

export const batchResources: readonly BuiltInResource[] = [cronJobResource, jobResource];
