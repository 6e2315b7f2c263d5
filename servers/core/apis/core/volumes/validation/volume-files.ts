import { validateResourceRef, validateVolumeFieldRef } from '#servers/core/validation/downward-references.ts';
import { validateFileMode, validateUnreservedPath } from '#servers/core/validation/paths.ts';
import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';

// Files that volumes create from objects (pkg/apis/core/validation).

/** Validates modes and items of Secret and ConfigMap volumes. */
export function validateFiles(source: JsonObject, field: Path): FieldError[] {
  return [
    ...validateFileMode(numberAt(source, 'defaultMode'), field.child('defaultMode')),
    ...validateItems(source, field),
  ];
}

/** Validates which keys become which files. `alsoOf` adds the errors of a kind of volume for each item. */
export function validateItems(
  source: JsonObject,
  field: Path,
  alsoOf: (item: JsonObject) => FieldError[] = () => [],
): FieldError[] {
  return objectsAt(source, 'items').flatMap((item, index) => {
    const at = field.child('items').index(index);
    return [
      ...needs(item, 'key', at),
      ...needs(item, 'path', at),
      ...validateUnreservedPath(stringAt(item, 'path'), at.child('path')),
      ...validateFileMode(numberAt(item, 'mode'), at.child('mode')),
      ...alsoOf(item),
    ];
  });
}

/** Validates a file of the downward API. */
export function validateDownwardFile(file: JsonObject, field: Path): FieldError[] {
  const path = stringAt(file, 'path');
  const errors = [...needs(file, 'path', field), ...validateUnreservedPath(path, field.child('path'))];
  const [fieldRef, resourceRef] = [objectAt(file, 'fieldRef'), objectAt(file, 'resourceFieldRef')];
  if (fieldRef) {
    errors.push(...validateVolumeFieldRef(fieldRef, field.child('fieldRef')));
    if (resourceRef)
      errors.push(invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (resourceRef) errors.push(...validateResourceRef(resourceRef, true, field.child('resourceFieldRef')));
  else errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...validateFileMode(numberAt(file, 'mode'), field.child('mode'))];
}

function needs(source: JsonObject, key: string, field: Path): FieldError[] {
  return stringAt(source, key) === '' ? [required(field.child(key), '')] : [];
}
