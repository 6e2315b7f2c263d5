import type { Field } from './schema.ts';

/**
 * Whether a present value of the field may be null: a pointer to Go's zero time, which is printed as null, while nil is
 * left out. Of all types only times print null for a value that is not nil.
 */
export function mayHoldZeroTime({ schema, pointer }: Field): boolean {
  return pointer && schema.kind === 'scalar' && (schema.type === 'time' || schema.type === 'microTime');
}
