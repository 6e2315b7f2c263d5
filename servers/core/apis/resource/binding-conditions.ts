import { duplicate, invalid, tooMany, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringsAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';

const maxConditions = 4;

/**
 * Validates the conditions that must be true before the pod of a device is bound, and those that mean failure
 * (validateDeviceBindingParameters).
 */
export function validateBindingConditions(device: JsonObject, field: Path): FieldError[] {
  const [conditions, failures] = ['bindingConditions', 'bindingFailureConditions'].map((name) =>
    stringsAt(device, name),
  );
  const names = (list: readonly string[], at: Path): FieldError[] =>
    list.length > maxConditions
      ? [tooMany(at, list.length, maxConditions)]
      : list.flatMap((name, index) => messages(isQualifiedName(name), at.index(index), name));
  const doubles = (list: readonly string[], at: Path): FieldError[] => {
    const repeated = repetitions(list);
    return list.flatMap((name, index) => (repeated[index] === true ? [duplicate(at.index(index), name)] : []));
  };
  const [first, second] = [field.child('bindingConditions'), field.child('bindingFailureConditions')];
  if (conditions === undefined || failures === undefined) return [];
  const known = new Set(conditions);
  return [
    ...names(conditions, first),
    ...names(failures, second),
    ...doubles(conditions, first),
    ...doubles(failures, second),
    ...failures.flatMap((name, index) =>
      known.has(name)
        ? [invalid(second.index(index), name, 'bindingFailureConditions must not overlap with bindingConditions')]
        : [],
    ),
    ...(conditions.length === 0 && failures.length > 0
      ? [
          invalid(
            first,
            emptyList(device, 'bindingConditions'),
            'bindingConditions are required to use bindingFailureConditions',
          ),
        ]
      : []),
    ...(failures.length === 0 && conditions.length > 0
      ? [
          invalid(
            second,
            emptyList(device, 'bindingFailureConditions'),
            'bindingFailureConditions are required to use bindingConditions',
          ),
        ]
      : []),
  ];
}

/** A list without items as errors print it: the reference tells an empty list from none. */
function emptyList(device: JsonObject, name: string): JsonValue {
  return Array.isArray(getKey(device, name)) ? [] : null;
}
