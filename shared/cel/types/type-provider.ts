import type { CelType } from '../values/cel-type.ts';
import type { Value } from '../values/value.ts';

/** Types with fields, and names that stand for types or constants: built-in ones, and those of schemas. */
export interface TypeProvider {
  /** The type that a qualified name stands for in an expression (`google.protobuf.Timestamp`, a schema's type). */
  findType(name: string): CelType | undefined;
  /** The type of a field of a type with fields; undefined where it has no such field. */
  findField(typeName: string, field: string): CelType | undefined;
  /** A constant with a qualified name, as a value of an enum. */
  findConstant?(name: string): Value | undefined;
  /** Makes a value of a type with fields: `Type{field: value}`. Returns an error value if a field value is invalid. */
  newValue?(typeName: string, fields: ReadonlyMap<string, Value>): Value;
}
