import type { Gates } from '#servers/core/gates/gates.ts';
import { goDiff } from '#servers/core/validation/go-diff.ts';
import { compareAmounts } from '#servers/core/validation/quantities.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { forbidden, invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateClaimSpec } from './claims.ts';
import { validateAttributesClassChange, validateVolumeModeUpdate } from './volume-changes.ts';

const specField = path('spec');
const claimModel = 'io.k8s.api.core.v1.PersistentVolumeClaimSpec';
/** Held the name of the class before 1.6. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

export function validateClaim(claim: KubeObject, old?: KubeObject): FieldError[] {
  return validateClaimSpec(objectAt(claim, 'spec') ?? {}, specField, objectAt(old, 'spec'));
}

/** Validates an update of a claim. Once it is bound, its requests may grow; the rest of the spec is immutable. */
export function validateClaimUpdate(claim: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const { now, before, errors: ofAnnotation } = comparedSpecs(claim, old);
  const errors = [...validateClaim(claim, old), ...ofAnnotation];
  if (!sameAs(claimModel, now, before)) {
    errors.push(
      forbidden(
        specField,
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${goDiff(claimModel, before, now)}`,
      ),
    );
  }
  const [size, earlier, actual] = [claim, old]
    .map((one) => objectAt(one, 'spec', 'resources', 'requests')?.['storage'])
    .concat(objectAt(old, 'status', 'capacity')?.['storage']);
  const recovers =
    gates.RecoverVolumeExpansionFailure ||
    ['allocatedResources', 'allocatedResourceStatuses'].some(
      (list) => Object.keys(objectAt(old, 'status', list) ?? {}).length > 0,
    );
  if (compareAmounts(size, earlier) < 0 && (!recovers || compareAmounts(size, actual) <= 0)) {
    errors.push(
      forbidden(
        specField.child('resources', 'requests', 'storage'),
        `field can not be less than ${recovers ? 'status.capacity' : 'previous value'}`,
      ),
    );
  }
  return [
    ...errors,
    ...validateVolumeModeUpdate(claim, old),
    ...validateAttributesClassChange(claim, old, gates, (name) =>
      objectAt(old, 'status')?.['currentVolumeAttributesClassName'] === undefined
        ? undefined
        : name === undefined
          ? 'update to nil is forbidden when status.currentVolumeAttributesClassName is not nil'
          : name === ''
            ? 'update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil'
            : undefined,
    ),
  ];
}

interface ComparedSpecs {
  readonly now: JsonObject;
  readonly before: JsonObject;
  /** About the annotation with the class. */
  readonly errors: FieldError[];
}

/** The specs without what may change. */
function comparedSpecs(claim: KubeObject, old: KubeObject): ComparedSpecs {
  const [now, before]: [JsonObject, JsonObject] = [{ ...objectAt(claim, 'spec') }, { ...objectAt(old, 'spec') }];
  if (stringAt(before, 'volumeName') === '') copyMember(before, now, 'volumeName');
  const errors = compareClasses(claim, old, now);
  if (stringAt(claim, 'status', 'phase') === 'Bound') {
    copyMember(now, before, 'volumeAttributesClassName');
    const requests = objectAt(now, 'resources', 'requests');
    const storage = objectAt(before, 'resources', 'requests')?.['storage'] ?? '0';
    if (requests) now['resources'] = { ...objectAt(now, 'resources'), requests: { ...requests, storage } };
  }
  return { now, before, errors };
}

/**
 * A class may be named that was missing, or only in the annotation, which may go then; both are immutable otherwise
 * (validateStorageClassUpgradeFromAnnotation, validateStorageClassUpgradeFromNil).
 */
function compareClasses(claim: KubeObject, old: KubeObject, now: JsonObject): FieldError[] {
  const annotated = old.metadata.annotations?.[classAnnotation];
  const annotatedNow = claim.metadata.annotations?.[classAnnotation];
  const name = now['storageClassName'];
  const isNew = objectAt(old, 'spec')?.['storageClassName'] === undefined && name !== undefined;
  if (isNew && (annotated === undefined || annotated === name)) delete now['storageClassName'];
  const moves = isNew && annotated === name && (annotatedNow === undefined || annotatedNow === annotated);
  return moves || (annotated ?? '') === (annotatedNow ?? '')
    ? []
    : [invalid(path('metadata', 'annotations', classAnnotation), annotatedNow ?? '', 'field is immutable')];
}

function copyMember(into: JsonObject, from: JsonObject, key: 'volumeName' | 'volumeAttributesClassName'): void {
  const value = from[key];
  if (value === undefined) delete into[key];
  else into[key] = value;
}
