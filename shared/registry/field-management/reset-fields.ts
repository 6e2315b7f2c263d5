import { getKey } from '#shared/apimachinery/json/json.ts';
import { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';

/**
 * Paths that a write of the object (`''`) or of a subresource cannot change, by the name of the subresource. They hold
 * for every version.
 */
export type ResetFields = Readonly<Record<string, readonly (readonly string[])[]>>;

/**
 * With a status subresource, a write of the object cannot change the status, and a write of the status cannot change
 * the spec.
 */
const statusApart: ResetFields = { '': [['status']], status: [['spec']] };

/** The fields that a write gives no owner, by version; undefined if there are none. */
export function resetFieldsOf(
  fields: ResetFields | undefined,
  hasStatus: boolean,
  subresource: string,
  apiVersions: readonly string[],
): ReadonlyMap<string, FieldSet> | undefined {
  const paths = getKey(fields ?? (hasStatus ? statusApart : undefined), subresource);
  if (paths === undefined) return undefined;
  const set = FieldSet.of(...paths);
  return new Map(apiVersions.map((apiVersion) => [apiVersion, set]));
}
