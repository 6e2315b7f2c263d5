import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { compareQuantities, parseQuantity, quantitySign, quantityValue } from '#shared/apimachinery/values/quantity.ts';
import { isIntegerResource } from './resource-names.ts';

/** Parses a quantity of a decoded object; the decoder has already checked its form. */
export function quantity(value: JsonValue | undefined): Quantity {
  return parseQuantity(value === undefined || value === null ? '0' : String(value));
}

export function compareAmounts(a: JsonValue | undefined, b: JsonValue | undefined): number {
  return compareQuantities(quantity(a), quantity(b));
}

export function validateNonNegativeQuantity(value: JsonValue | undefined, field: Path): FieldError[] {
  return nonNegativeErrors(quantity(value), value, field);
}

function nonNegativeErrors(amount: Quantity, value: JsonValue | undefined, field: Path): FieldError[] {
  return quantitySign(amount) < 0 ? [invalid(field, String(value), 'must be greater than or equal to 0')] : [];
}

export function validatePositiveQuantity(value: JsonValue | undefined, field: Path): FieldError[] {
  return quantitySign(quantity(value)) > 0 ? [] : [invalid(field, String(value ?? '0'), 'must be greater than zero')];
}

/** Validates an amount of a resource: not negative, and whole if the resource is counted in whole units. */
export function validateAmount(name: string, value: JsonValue | undefined, field: Path): FieldError[] {
  const amount = quantity(value);
  const errors = nonNegativeErrors(amount, value, field);
  const isWhole = quantityValue(amount, -3) % 1000n === 0n;
  return !isWhole && isIntegerResource(name)
    ? [...errors, invalid(field, String(value), 'must be an integer')]
    : errors;
}

/** Entries of a ResourceList, in the order of the object. */
export function resourceAmounts(list: JsonObject | undefined): [name: string, amount: JsonValue][] {
  return Object.entries(list ?? {});
}
