import type { CelType } from '#shared/cel/values/cel-type.ts';

/** The text of a type in the checker's messages: `duration`, `list(string)`, `map(string, dyn)`. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'duration':
      return 'duration';
    case 'error':
      return '!error!';
    case 'null':
      return 'null';
    case 'timestamp':
      return 'timestamp';
    case 'parameter':
      return type.name;
    default:
      break;
  }
  if (type.parameters.length === 0) return type.nullable ? `wrapper(${type.name})` : type.name;
  return `${type.name}(${type.parameters.map(formatType).join(', ')})`;
}

/** The text of a call in a message: `string.(int, bool)`. */
export function formatCall(types: readonly CelType[], member: boolean): string {
  const [target, ...others] = types;
  return member && target !== undefined
    ? `${formatType(target)}.(${others.map(formatType).join(', ')})`
    : `(${types.map(formatType).join(', ')})`;
}
