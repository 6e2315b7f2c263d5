import type { ResetFields } from '#shared/registry/field-management/reset-fields.ts';

/** A write of the object keeps the status; a write of the status keeps everything else, including the metadata. */
export const statusLeavesMetadata: ResetFields = { '': [['status']], status: [['metadata'], ['spec']] };
