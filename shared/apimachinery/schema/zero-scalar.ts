import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ScalarSchema } from './schema.ts';

/** Go's zero value of a scalar that is no pointer; null where JSON shows it as null. */
export function zeroScalar(schema: ScalarSchema): JsonValue {
  switch (schema.type) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'float':
    case 'double':
    case 'intOrString':
      return 0;
    default:
      return null;
  }
}
