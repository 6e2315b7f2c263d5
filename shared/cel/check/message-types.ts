import type { CelType } from '#shared/cel/values/cel-type.ts';

/**
 * The name of the protobuf message type for a type: `google.protobuf.Int64Value` for ints that may be null; undefined
 * if there is none.
 */
export function messageTypeName(type: CelType): string | undefined {
  const [first, second] = type.parameters;
  switch (type.kind) {
    case 'struct':
      return type.name;
    case 'any':
      return 'google.protobuf.Any';
    case 'dyn':
      return 'google.protobuf.Value';
    case 'null':
      return 'google.protobuf.NullValue';
    case 'duration':
    case 'timestamp':
      return type.name;
    case 'list':
      return first?.kind === 'dyn' ? 'google.protobuf.ListValue' : undefined;
    case 'map':
      return first?.kind === 'string' && second?.kind === 'dyn' ? 'google.protobuf.Struct' : undefined;
    default:
      return type.nullable ? wrappers.get(type.kind) : undefined;
  }
}

const wrappers = new Map([
  ['bool', 'google.protobuf.BoolValue'],
  ['bytes', 'google.protobuf.BytesValue'],
  ['double', 'google.protobuf.DoubleValue'],
  ['int', 'google.protobuf.Int64Value'],
  ['string', 'google.protobuf.StringValue'],
  ['uint', 'google.protobuf.UInt64Value'],
]);
