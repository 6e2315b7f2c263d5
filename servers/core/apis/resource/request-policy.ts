import { quantity } from '#servers/core/validation/quantities.ts';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  quantityValue,
} from '#shared/apimachinery/values/quantity.ts';

const maxOptions = 10;

/**
 * Validates the policy for requests of a shared capacity: either a list of amounts, or a range (KEP-5075,
 * pkg/apis/resource/validation).
 */
export function validateRequestPolicy(policy: JsonObject, capacity: Quantity, field: Path): FieldError[] {
  const { validValues, validRange } = policy;
  const range = objectAt(policy, 'validRange');
  const options = Array.isArray(validValues) ? validValues.map(quantity) : [];
  if (options.length > 0 && range !== undefined)
    return [
      forbidden(
        field,
        'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
      ),
    ];
  if (options.length === 0 && range === undefined) return [];
  const name = options.length > 0 ? 'validValues' : 'validRange';
  const fallback = amount(policy, 'default');
  if (fallback === undefined) return [required(field.child('default'), `required when ${name} is defined`)];
  return range === undefined || validRange === null
    ? validateOptions(options, fallback, capacity, field.child(name))
    : validateRange(range, fallback, capacity, field.child(name));
}

function amount(object: JsonObject, name: string): Quantity | undefined {
  const value = getKey(object, name) ?? null;
  return value === null ? undefined : quantity(value);
}

const exceeds = (one: Quantity, other: Quantity): boolean => compareQuantities(one, other) > 0;

function validateOptions(
  options: readonly Quantity[],
  fallback: Quantity,
  capacity: Quantity,
  field: Path,
): FieldError[] {
  const unsorted = options.flatMap((option, index) => {
    const before = options[index - 1];
    return before !== undefined && exceeds(before, option)
      ? [invalid(field.index(index), formatQuantity(option), 'values must be sorted in ascending order')]
      : [];
  });
  const isTooLong = options.length > maxOptions;
  const each = isTooLong
    ? [tooMany(field, options.length, maxOptions)]
    : [...tooLarge(options, capacity, field), ...repeated(options, field)];
  // As in the reference, the default counts as missing from a list that is too long.
  const isKnown = !isTooLong && options.some((option) => compareQuantities(option, fallback) === 0);
  return [
    ...unsorted,
    ...each,
    ...(isKnown
      ? []
      : [invalid(field, formatQuantity(fallback), 'default value is not valid according to the requestPolicy')]),
  ];
}

function tooLarge(options: readonly Quantity[], capacity: Quantity, field: Path): FieldError[] {
  return options.flatMap((option, index) =>
    exceeds(option, capacity)
      ? [
          invalid(
            field.index(index),
            formatQuantity(option),
            `option is larger than capacity value: ${formatQuantity(capacity)}`,
          ),
        ]
      : [],
  );
}

/** Refuses amounts that are equal after rounding up to whole numbers. */
function repeated(options: readonly Quantity[], field: Path): FieldError[] {
  const seen = new Set<string>();
  return options.flatMap((option, index) => {
    const key = String(quantityValue(option));
    if (seen.has(key)) return [duplicate(field.index(index), key)];
    seen.add(key);
    return [];
  });
}

function validateRange(range: JsonObject, fallback: Quantity, capacity: Quantity, field: Path): FieldError[] {
  const [min, max, step] = [amount(range, 'min'), amount(range, 'max'), amount(range, 'step')];
  if (min === undefined) return [required(field.child('min'), 'required when validRange is defined')];
  const unless = (name: string, wrong: boolean, shown: Quantity, text: string, other: Quantity): FieldError[] =>
    wrong ? [invalid(field.child(name), formatQuantity(shown), `${text}: ${formatQuantity(other)}`)] : [];
  return [
    ...unless('min', exceeds(min, capacity), min, 'min is larger than capacity value', capacity),
    ...unless('min', exceeds(min, fallback), fallback, 'default is less than min', min),
    ...(max === undefined
      ? []
      : [
          ...unless('max', exceeds(min, max), min, 'min is larger than max', max),
          ...unless('max', exceeds(max, capacity), max, 'max is larger than capacity value', capacity),
          ...unless('max', exceeds(fallback, max), fallback, 'default is more than max', max),
        ]),
    ...(step === undefined ? [] : validateSteps({ min, max, step }, fallback, capacity, field.child('step'))),
  ];
}

function validateSteps(
  { min, max, step }: { min: Quantity; max: Quantity | undefined; step: Quantity },
  fallback: Quantity,
  capacity: Quantity,
  field: Path,
): FieldError[] {
  const first = addQuantities(min, step);
  const errors = exceeds(first, capacity)
    ? [
        invalid(
          field,
          formatQuantity(step),
          `one step ${formatQuantity(first)} is larger than capacity value: ${formatQuantity(capacity)}`,
        ),
      ]
    : [];
  const size = quantityValue(step);
  for (const value of max === undefined ? [fallback] : [fallback, max]) {
    // With a step of zero, with which the reference fails, no value is reached.
    const isReached = size !== 0n && (quantityValue(value) - quantityValue(min)) % size === 0n;
    if (!isReached)
      errors.push(
        invalid(
          field,
          formatQuantity(value),
          `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`,
        ),
      );
  }
  return errors;
}
