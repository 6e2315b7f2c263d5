import { CborTypeError, major, majorName } from './cbor-error.ts';
import type { CborReader } from './reader.ts';

/**
 * The error for an item that does not fit a Go type. An error of the item itself takes precedence.
 * @throws CborError for an invalid item, which fits no type
 */
export function mismatch(reader: CborReader, goType: string, why = ''): CborTypeError {
  const { type } = reader;
  if (type === major.text) reader.textString();
  if (type === major.other) reader.other();
  if (type !== major.negative) return new CborTypeError(majorName(type), goType, why);
  const value = reader.integer();
  return new CborTypeError(majorName(type), goType, value < -(2n ** 63n) ? `${value} overflows Go's int64` : why);
}
