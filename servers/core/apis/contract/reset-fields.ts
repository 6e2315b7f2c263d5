import type { ResetFields } from '../../../../shared/registry/field-management/reset-fields.ts';

/** A write of the object leaves the status alone, one of the status all but the status, the metadata included. */
export const statusLeavesMetadata: ResetFields = { '': [['status']], status: [['metadata'], ['spec']] };
