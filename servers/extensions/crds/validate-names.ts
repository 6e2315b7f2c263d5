import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { isDNS1035Label } from '#shared/apimachinery/validation/names.ts';

/** Requires the names that a definition must have. */
export function validateRequiredNames(names: JsonObject, at: Path): FieldError[] {
  return ['plural', 'singular', 'kind', 'listKind']
    .filter((key) => stringAt(names, key) === '')
    .map((key) => required(at.child(key), ''));
}

/** Validates the form of names; used for the spec and for the status. */
export function validateNames(names: JsonObject, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['plural', 'singular']) errors.push(...validateLabel(stringAt(names, key), at.child(key)));
  for (const key of ['kind', 'listKind']) {
    const value = stringAt(names, key);
    const messages = value === '' ? [] : isDNS1035Label(value.toLowerCase());
    if (messages.length > 0)
      errors.push(
        invalid(at.child(key), value, `may have mixed case, but should otherwise match: ${messages.join(',')}`),
      );
  }
  stringsAt(names, 'shortNames').forEach((name, index) =>
    errors.push(...validateLabel(name, at.child('shortNames').index(index), true)),
  );
  const listKind = stringAt(names, 'listKind');
  if (listKind !== '' && stringAt(names, 'kind') === listKind)
    errors.push(invalid(at.child('listKind'), listKind, 'kind and listKind may not be the same'));
  stringsAt(names, 'categories').forEach((name, index) =>
    errors.push(...validateLabel(name, at.child('categories').index(index), true)),
  );
  return errors;
}

function validateLabel(value: string, at: Path, evenEmpty = false): FieldError[] {
  const messages = value === '' && !evenEmpty ? [] : isDNS1035Label(value);
  return messages.length === 0 ? [] : [invalid(at, value, messages.join(','))];
}
