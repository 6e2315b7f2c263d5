import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { decodeManagedFields, ManagedFieldsError, type ManagedFields } from './managed-fields.ts';

export const noManagers: ManagedFields = { sets: new Map(), times: new Map() };

/** Managed fields that cannot be decoded count as empty. */
export function* readableManagers(entries: KubeObject['metadata']['managedFields']): Steps<ManagedFields> {
  if (entries === undefined || entries.length === 0) return noManagers;
  try {
    return yield* decodeManagedFields(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return noManagers;
    throw error;
  }
}
