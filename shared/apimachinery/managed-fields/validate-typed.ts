import type { TypedError, TypedValue } from './typed-value.ts';

/** What the type does not allow. `allowDuplicates`: items of sets and associative lists may repeat. */
export function validateTyped(typed: TypedValue, options: { readonly allowDuplicates: boolean }): TypedError[] {
  void typed;
  void options;
  return [];
}
