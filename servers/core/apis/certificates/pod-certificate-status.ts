import { validateConditions } from '#servers/core/validation/conditions.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { invalid, notSupported, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateIssuedChain } from './issued-chain.ts';

const status = path('status');
const conditionsField = status.child('conditions');
/** Conditions that end a request; it can have one of them. */
const ends = ['Issued', 'Denied', 'Failed'];

/**
 * Validates the status that a signer writes (pkg/apis/certificates/validation
 * ValidatePodCertificateRequestStatusUpdate). `nowMs`: milliseconds since the epoch.
 */
export function validatePodCertificateStatus(request: KubeObject, old: KubeObject, nowMs: number): FieldError[] {
  const conditions = objectsAt(request, 'status', 'conditions');
  const errors = [...validateEnds(conditions), ...validateConditions(conditions, conditionsField)];
  if (errors.length > 0) return errors;
  const [now, before] = [objectAt(request, 'status') ?? {}, objectAt(old, 'status') ?? {}];
  if (isEnded(old, ends))
    return unlessSame(now, before, 'immutable after PodCertificateRequest is issued, denied, or failed');
  if (isEnded(request, ['Denied', 'Failed']))
    return unlessSame(
      now,
      { conditions: [...conditions] },
      'non-condition status fields must be empty when denying or failing the PodCertificateRequest',
    );
  if (isEnded(request, ['Issued'])) return validateIssuedChain(request, old, nowMs);
  return unlessSame(now, before, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
}

/** As in the reference, the paths here have a dot before the index. */
function validateEnds(conditions: readonly JsonObject[]): FieldError[] {
  let count = 0;
  return conditions.flatMap((condition, index) => {
    const field = conditionsField.child(`[${index}]`);
    const [type, value] = [stringAt(condition, 'type'), stringAt(condition, 'status')];
    if (!ends.includes(type)) return [notSupported(field.child('type'), type, ends)];
    count += 1;
    return [
      ...(count > 1
        ? [
            invalid(
              field.child('type'),
              type,
              'There may be at most one condition with type "Issued", "Denied", or "Failed"',
            ),
          ]
        : []),
      ...(value === 'True' ? [] : [notSupported(field.child('status'), value, ['True'])]),
    ];
  });
}

function isEnded(request: KubeObject, types: readonly string[]): boolean {
  return objectsAt(request, 'status', 'conditions').some(
    (condition) => types.includes(stringAt(condition, 'type')) && stringAt(condition, 'status') === 'True',
  );
}

function unlessSame(now: JsonObject, wanted: JsonObject, detail: string): FieldError[] {
  return sameAs('io.k8s.api.certificates.v1beta1.PodCertificateRequestStatus', now, wanted)
    ? []
    : [invalid(status, undefined, detail)];
}
