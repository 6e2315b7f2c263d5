import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { nonNegative } from '#shared/apimachinery/validation/field-rules.ts';
import { isValidPercent } from '#shared/apimachinery/validation/names.ts';

/** The number, or the percentage as a number. Other texts are parsed as a number, or count as zero. */
export function amountOrPercent(value: JsonValue | undefined): number {
  if (typeof value !== 'string') return Number(value ?? 0);
  return isPercent(value) ? Number.parseInt(value, 10) : /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}

function isPercent(value: string): boolean {
  return isValidPercent(value).length === 0;
}

export function validateAmountOrPercent(value: JsonValue | undefined, field: Path): FieldError[] {
  if (typeof value !== 'string') return nonNegative(Number(value ?? 0), field);
  return isValidPercent(value).map((text) => invalid(field, value, text));
}

export function validateAtMost100Percent(value: JsonValue | undefined, field: Path): FieldError[] {
  return typeof value === 'string' && isPercent(value) && amountOrPercent(value) > 100
    ? [invalid(field, value, 'must not be greater than 100%')]
    : [];
}
