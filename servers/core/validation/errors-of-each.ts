import type { FieldError } from '../../../shared/apimachinery/field-error.ts';
import { sliceIsOver, type Steps } from '../../../shared/apimachinery/slices.ts';

/** The errors of all items, which may be many. */
export function* errorsOfEach<T>(
  items: readonly T[],
  validate: (item: T, index: number) => Steps<FieldError[]>,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    for (const error of yield* validate(item, index)) errors.push(error);
    if (sliceIsOver()) yield;
  }
  return errors;
}
