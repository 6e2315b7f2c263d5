import { cronJobResource } from './cron-jobs.ts';
import { jobResource } from './jobs.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const batchResources: readonly BuiltInResource[] = [cronJobResource, jobResource];
