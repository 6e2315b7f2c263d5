import type { TypeProvider } from '#shared/cel/types/type-provider.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  intType,
  listOfDyn,
  listType,
  mapType,
  objectType,
  stringType,
  uintType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { makeMessage } from './messages.ts';

const jsonMap = mapType(stringType, dynType);

/** Fields of protobuf's well-known messages. */
const messages = new Map<string, ReadonlyMap<string, CelType>>([
  [
    'Any',
    new Map([
      ['type_url', stringType],
      ['value', bytesType],
    ]),
  ],
  [
    'Duration',
    new Map([
      ['seconds', intType],
      ['nanos', intType],
    ]),
  ],
  [
    'Timestamp',
    new Map([
      ['seconds', intType],
      ['nanos', intType],
    ]),
  ],
  ['Empty', new Map()],
  ['BoolValue', new Map([['value', boolType]])],
  ['BytesValue', new Map([['value', bytesType]])],
  ['DoubleValue', new Map([['value', doubleType]])],
  ['FloatValue', new Map([['value', doubleType]])],
  ['Int64Value', new Map([['value', intType]])],
  ['Int32Value', new Map([['value', intType]])],
  ['UInt64Value', new Map([['value', uintType]])],
  ['UInt32Value', new Map([['value', uintType]])],
  ['StringValue', new Map([['value', stringType]])],
  ['ListValue', new Map([['values', listType(dynType)]])],
  ['Struct', new Map([['fields', jsonMap]])],
  [
    'Value',
    new Map<string, CelType>([
      ['null_value', intType],
      ['number_value', doubleType],
      ['string_value', stringType],
      ['bool_value', boolType],
      ['struct_value', jsonMap],
      ['list_value', listOfDyn],
    ]),
  ],
]);
const prefix = 'google.protobuf.';

/** The protobuf messages that every cel-go environment knows and converts to CEL values. */
export const wellKnownTypes: TypeProvider = {
  findType: (name) =>
    name.startsWith(prefix) && messages.has(name.slice(prefix.length)) ? objectType(name) : undefined,
  findField: (name, field) => messages.get(name.slice(prefix.length))?.get(field),
  findConstant: (name) => (name === 'google.protobuf.NullValue.NULL_VALUE' ? 0 : undefined),
  newValue: makeMessage,
};
