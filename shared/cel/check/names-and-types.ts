import type { Expression } from '#shared/cel/syntax/expression.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  intType,
  nullType,
  stringType,
  uintType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { CelDouble, CelUint, type Value } from '#shared/cel/values/value.ts';

/** The type inside an optional type, and whether the given type is an optional one. */
export function withoutOptional(type: CelType): [CelType, boolean] {
  return type.kind === 'opaque' && type.name === 'optional_type'
    ? [type.parameters[0] ?? dynType, true]
    : [type, false];
}

/** The name of a type in error messages: a nullable type is printed as a wrapper. */
export function declaredName(type: CelType): string {
  return type.nullable ? `wrapper(${type.name})` : type.name;
}

/** The name `a.b.c` of a chain of selections that begins with an identifier; undefined for other expressions. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.testOnly) return undefined;
  const operand = qualifiedName(expression.operand);
  return operand === undefined ? undefined : `${operand}.${expression.field}`;
}

/** The type of a constant. */
export function literalType(value: Value): CelType {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'number':
    case 'bigint':
      return intType;
    case 'string':
      return stringType;
    default:
      if (value === null) return nullType;
      if (value instanceof CelUint) return uintType;
      return value instanceof CelDouble ? doubleType : bytesType;
  }
}
