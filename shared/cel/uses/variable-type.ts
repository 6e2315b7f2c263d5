import { dynType, listType, mapType, type CelType } from '#shared/cel/values/cel-type.ts';
import { ExpressionError, type CompiledExpression } from './compile-expression.ts';

/**
 * The type of a named expression for those that read it: lists and maps keep the types of their elements, objects are
 * dyn, and so is an expression that does not compile.
 */
export function variableType(compiled: CompiledExpression | ExpressionError): CelType {
  return compiled instanceof ExpressionError ? dynType : declaredType(compiled.type);
}

function declaredType(type: CelType): CelType {
  if (type.nullable) return dynType;
  switch (type.kind) {
    case 'list':
      return listType(declaredType(type.parameters[0] ?? dynType));
    case 'map':
      return mapType(declaredType(type.parameters[0] ?? dynType), declaredType(type.parameters[1] ?? dynType));
    case 'any':
    case 'bool':
    case 'bytes':
    case 'double':
    case 'duration':
    case 'int':
    case 'null':
    case 'string':
    case 'timestamp':
    case 'uint':
      return type;
    default:
      return dynType;
  }
}
