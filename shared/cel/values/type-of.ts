import { CelObject } from './cel-type.ts';
import { boolType, bytesType, intType, nullType, stringType, type CelType } from './cel-type.ts';
import type { Value } from './value.ts';

/** The type of a value at run time; types of lists and maps do not include the element types. */
export function typeOf(value: Value): CelType {
  if (value === null) return nullType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof CelObject) return value.type;
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'string':
      return stringType;
    default:
      return intType;
  }
}
