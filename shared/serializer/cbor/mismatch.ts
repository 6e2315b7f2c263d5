import { CborTypeError, major, majorName } from './cbor-error.ts';
import type { CborReader } from './reader.ts';

/**
 * The error of an item that a Go type does not take. What is wrong with the item itself comes first.
 * @throws CborError for an item that no type takes
 */
export function mismatch(reader: CborReader, goType: string, why = ''): CborTypeError {
  const { type } = reader;
  if (type === major.text) reader.textString();
  if (type === major.other) reader.other();
  if (type !== major.negative) return new CborTypeError(majorName(type), goType, why);
  const value = reader.integer();
  return new CborTypeError(majorName(type), goType, value < -(2n ** 63n) ? `${value} overflows Go's int64` : why);
}
