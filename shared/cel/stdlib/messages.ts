import { ArrayList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type Value,
} from '#shared/cel/values/value.ts';

/** The CEL value of a well-known message: a wrapper and `Value` become the value inside, `Struct` becomes a map. */
export function makeMessage(name: string, fields: ReadonlyMap<string, Value>): Value {
  const value = fields.get('value');
  switch (name.slice('google.protobuf.'.length)) {
    case 'BoolValue':
      return ofType('boolean', value, false);
    case 'StringValue':
      return ofType('string', value, '');
    case 'BytesValue':
      return value ?? new Uint8Array();
    case 'DoubleValue':
      return value ?? new CelDouble(0);
    case 'FloatValue':
      return value instanceof CelDouble ? new CelDouble(Math.fround(value.value)) : (value ?? new CelDouble(0));
    case 'Int64Value':
      return value ?? 0;
    case 'Int32Value':
      return typeof value === 'bigint' || (typeof value === 'number' && (value | 0) !== value)
        ? new CelError('integer overflow')
        : (value ?? 0);
    case 'UInt64Value':
      return value ?? new CelUint(0);
    case 'UInt32Value':
      return value instanceof CelUint && value.value > 0xffff_ffff
        ? new CelError('unsigned integer overflow')
        : (value ?? new CelUint(0));
    case 'Duration':
      return new CelDuration(
        BigInt(numberOf(fields.get('seconds'))) * 1_000_000_000n + BigInt(numberOf(fields.get('nanos'))),
      );
    case 'Timestamp':
      return new CelTimestamp(Number(numberOf(fields.get('seconds'))), Number(numberOf(fields.get('nanos'))));
    case 'ListValue':
      return json(fields.get('values') ?? new ArrayList([]));
    case 'Struct':
      return json(fields.get('fields') ?? new EntryMap());
    case 'Value':
      return jsonValue(fields);
    case 'Any':
      return unknownMessage(fields.get('type_url'));
    default:
      return new CelError(`unknown type: '${name}'`);
  }
}

/** The error for a message type without a descriptor; only the well-known types have one here. */
function unknownMessage(url: Value | undefined): CelError {
  if (typeof url !== 'string' || url === '')
    return new CelError('unsupported conversion to ref.Val: (*dynamicpb.Message)');
  return new CelError(`unknown type: '${url.slice(url.lastIndexOf('/') + 1)}'`);
}

function ofType(type: string, value: Value | undefined, otherwise: Value): Value {
  if (value === undefined) return otherwise;
  return typeof value === type ? value : new CelError(`unsupported type conversion from '${typeOf(value).name}'`);
}

function numberOf(value: Value | undefined): number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

function jsonValue(fields: ReadonlyMap<string, Value>): Value {
  for (const [name, value] of fields) return name === 'null_value' ? null : json(value);
  return null;
}

/** Converts a value to its JSON form, in which numbers are doubles. */
function json(value: Value): Value {
  if (typeof value === 'number') return new CelDouble(value);
  if (value instanceof CelList)
    return new ArrayList(Array.from({ length: value.size }, (_, index) => json(value.get(index))));
  return value instanceof CelMap
    ? EntryMap.of(Array.from(value.keys(), (key) => [key, json(value.find(key) ?? null)] as const))
    : value;
}
