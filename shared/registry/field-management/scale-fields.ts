import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import { getKey, isObject, setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import type { VersionedSet } from '#shared/apimachinery/managed-fields/managers.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { sortedKeys } from '#shared/serializer/json/go-text.ts';
import { decodeManagedFields, encodeManagedFields, ManagedFieldsError, type ManagedFields } from './managed-fields.ts';

/**
 * The path of the replicas in a version of the parent: null if the version has no Scale, undefined if it is unknown.
 */
export type ReplicasPath = (apiVersion: string) => readonly string[] | null | undefined;

const replicas = ['spec', 'replicas'];
const scaleSet = FieldSet.of(replicas);

/**
 * The managers of a Scale: those of its parent that own the replicas
 * (apimachinery/pkg/util/managedfields/scalehandler.go).
 */
export function managersOfScale(parent: ObjectMeta, replicasPath: ReplicasPath): ManagedFieldsEntry[] | undefined {
  const { sets, times } = decode(parent.managedFields);
  const scale = [...sets].flatMap(([identifier, { set, apiVersion, applied }]) => {
    const path = replicasPath(apiVersion);
    return path != null && set.has(path)
      ? [[identifier, { set: scaleSet, apiVersion: 'autoscaling/v1', applied }] as const]
      : [];
  });
  return encode({ sets: new Map(scale), times });
}

/**
 * Transfers the managers of a written Scale to its parent: a manager that no longer owns the replicas of the Scale
 * loses them in the parent.
 * @param apiVersion version of the parent in the request
 */
export function managersOfParent(
  parent: ObjectMeta,
  scale: ObjectMeta,
  apiVersion: string,
  replicasPath: ReplicasPath,
): ManagedFieldsEntry[] | undefined {
  const { sets: parentSets, times } = decode(parent.managedFields);
  const scaleSets = new Map(decode(scale.managedFields).sets);
  const sets = new Map<string, VersionedSet>();
  for (const [identifier, versioned] of parentSets) {
    const path = replicasPath(versioned.apiVersion);
    if (path === undefined) continue;
    if (path === null || !versioned.set.has(path) || scaleSets.delete(identifier)) sets.set(identifier, versioned);
    else {
      const set = versioned.set.difference(FieldSet.of(path));
      if (!set.isEmpty) sets.set(identifier, { ...versioned, set });
    }
  }
  const path = replicasPath(apiVersion);
  for (const [identifier, { set, applied }] of scaleSets) {
    if (path != null && set.has(replicas)) sets.set(identifier, { set: FieldSet.of(path), apiVersion, applied });
  }
  // New managers get no time, since the reference looks up the times of the parent.
  return encode({ sets, times });
}

function decode(entries: ManagedFieldsEntry[] | undefined): ManagedFields {
  try {
    return atOnce(decodeManagedFields(entries));
  } catch (error) {
    if (error instanceof ManagedFieldsError) throw newInternalError(error.message);
    throw error;
  }
}

/** Sorts keys as texts, so that port 100 comes before 9: the reference converts these entries to untyped JSON. */
function encode(managed: ManagedFields): ManagedFieldsEntry[] | undefined {
  const metadata: ObjectMeta = {};
  atOnce(encodeManagedFields(metadata, managed));
  return metadata.managedFields?.map(({ fieldsV1, ...entry }) => ({
    ...entry,
    ...(fieldsV1 !== undefined && { fieldsV1: inTextOrder(fieldsV1) }),
  }));
}

function inTextOrder(set: JsonObject): JsonObject {
  const sorted: JsonObject = {};
  for (const key of sortedKeys(set)) {
    const below = getKey(set, key);
    setKey(sorted, key, isObject(below) ? inTextOrder(below) : (below ?? null));
  }
  return sorted;
}
