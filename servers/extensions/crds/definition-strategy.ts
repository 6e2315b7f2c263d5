import { booleanAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Release } from '#shared/apimachinery/release-version.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { setCondition, statusOf } from './conditions.ts';
import { setDefinitionDefaults } from './definition-defaults.ts';
import { unknownFormatWarnings } from './unknown-formats.ts';
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './validate-definition.ts';

/** The finalizer that keeps a definition until its custom resources are removed. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * The strategy of definitions (apiextensions-apiserver/pkg/registry/customresourcedefinition). New validation rules
 * must be supported by the release `compatibility`.
 */
export const definitionStrategy = (compatibility: Release): Strategy => ({
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  applyDefaults: setDefinitionDefaults,
  prepareForCreate(object) {
    object['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
    rememberStoredVersion(object);
  },
  prepareForUpdate(object) {
    rememberStoredVersion(object);
  },
  validateInSteps: (object, old) =>
    old === undefined
      ? validateDefinition(object, compatibility)
      : validateDefinitionUpdate(object, old, compatibility),
  validateStatusUpdate: validateDefinitionStatus,
  warningsInSteps: unknownFormatWarnings,
  marksForDependents: false,
  deleteInPlace(object, context) {
    if (object.metadata.deletionTimestamp) return false;
    object.metadata.deletionTimestamp = timeFromMs(context.nowMs);
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(cleanupFinalizer)) object.metadata.finalizers = [...finalizers, cleanupFinalizer];
    setCondition(
      object,
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
      context.nowMs,
    );
    return true;
  },
});

/**
 * Adds the storage version to `status.storedVersions`. Old versions stay listed until an administrator has migrated the
 * objects and removes the versions from the list.
 */
function rememberStoredVersion(object: KubeObject): void {
  const storage = objectsAt(object, 'spec', 'versions').find((version) => booleanAt(version, 'storage') === true);
  if (storage === undefined) return;
  const name = stringAt(storage, 'name');
  const stored = stringsAt(object, 'status', 'storedVersions');
  if (!stored.includes(name)) statusOf(object)['storedVersions'] = [...stored, name];
}
