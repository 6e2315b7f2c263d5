import type { Gates } from '#servers/core/gates/gates.ts';
import { forbidden, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import { withNamedString } from '#shared/registry/named-strings.ts';

// Changes that PersistentVolumes and claims share.

/** Validates a changed VolumeAttributesClass (KEP-3751). `problem` returns the error message for a forbidden change. */
export function validateAttributesClassChange(
  object: KubeObject,
  old: KubeObject,
  gates: Gates,
  problem: (name: JsonValue | undefined, before: JsonValue | undefined) => string | undefined,
): FieldError[] {
  const [name, before] = [
    objectAt(object, 'spec')?.['volumeAttributesClassName'],
    objectAt(old, 'spec')?.['volumeAttributesClassName'],
  ];
  const field = path('spec', 'volumeAttributesClassName');
  if (name === before) return [];
  const text = gates.VolumeAttributesClass || before !== undefined ? problem(name, before) : undefined;
  return [
    ...(gates.VolumeAttributesClass
      ? []
      : [forbidden(field, 'update is forbidden when the VolumeAttributesClass feature gate is disabled')]),
    ...(text === undefined ? [] : [forbidden(field, text)]),
  ];
}

export function validateVolumeModeUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [objectAt(object, 'spec')?.['volumeMode'], objectAt(old, 'spec')?.['volumeMode']];
  return validateImmutableField(now, before, path('volumeMode')).map(withNamedString);
}
