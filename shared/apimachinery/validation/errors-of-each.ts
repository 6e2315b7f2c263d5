import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

/** Validates items, which may be many, in steps; a validator of small items may return its errors directly. */
export function* errorsOfEach<T>(
  items: readonly T[],
  validate: (item: T, index: number) => Steps<FieldError[]> | FieldError[],
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const found = validate(item, index);
    for (const error of Array.isArray(found) ? found : yield* found) errors.push(error);
    if (sliceIsOver()) yield;
  }
  return errors;
}
