import { invalid, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import {
  compareQuantities,
  parseQuantity,
  quantitySign,
  quantityValue,
  type Quantity,
} from '../../../shared/apimachinery/quantity.ts';
import { isIntegerResource } from './resource-names.ts';

/** A quantity of a decoded object: the decoder saw to it that it is one. */
export function quantity(value: JsonValue | undefined): Quantity {
  return parseQuantity(value === undefined || value === null ? '0' : String(value));
}

export function compareAmounts(a: JsonValue | undefined, b: JsonValue | undefined): number {
  return compareQuantities(quantity(a), quantity(b));
}

export function validateNonNegativeQuantity(value: JsonValue | undefined, field: Path): FieldError[] {
  return quantitySign(quantity(value)) < 0 ? [invalid(field, String(value), 'must be greater than or equal to 0')] : [];
}

export function validatePositiveQuantity(value: JsonValue | undefined, field: Path): FieldError[] {
  return quantitySign(quantity(value)) > 0 ? [] : [invalid(field, String(value ?? '0'), 'must be greater than zero')];
}

/** An amount of a resource: not negative, and whole where the resource is counted. */
export function validateAmount(name: string, value: JsonValue | undefined, field: Path): FieldError[] {
  const errors = validateNonNegativeQuantity(value, field);
  const whole = quantityValue(quantity(value), -3) % 1000n === 0n;
  return isIntegerResource(name) && !whole ? [...errors, invalid(field, String(value), 'must be an integer')] : errors;
}

/** Entries of a ResourceList, in the order of the object. */
export function amountsOf(list: JsonObject | undefined): [name: string, amount: JsonValue][] {
  return Object.entries(list ?? {});
}
