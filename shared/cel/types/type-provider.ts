import type { CelType } from '#shared/cel/values/cel-type.ts';
import type { Value } from '#shared/cel/values/value.ts';

/** Provides types with fields, and resolves names of types and constants, both built-in and from schemas. */
export interface TypeProvider {
  /** The type with a qualified name (`google.protobuf.Timestamp`, or a type of a schema). */
  findType(name: string): CelType | undefined;
  /** The type of a field of a type; undefined if the type has no such field. */
  findField(typeName: string, field: string): CelType | undefined;
  /** The constant with a qualified name, such as a value of an enum. */
  findConstant?(name: string): Value | undefined;
  /** Makes a value of a type with fields: `Type{field: value}`. Returns an error value if a field value is invalid. */
  newValue?(typeName: string, fields: ReadonlyMap<string, Value>): Value;
}
