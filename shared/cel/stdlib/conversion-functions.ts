import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  typeOfType,
  typeParameter,
  uintType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import {
  toBool,
  toBytes,
  toDouble,
  toDuration,
  toInt,
  toText,
  toTimestamp,
  toUint,
} from '#shared/cel/values/conversions.ts';
import { typeOf } from '#shared/cel/values/type-of.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { bytesToStringCosts, stringToBytesCosts } from './call-costs.ts';
import { overload, shared } from './declare.ts';

const a = typeParameter('A');

function conversion(
  name: string,
  result: CelType,
  convert: (value: Value) => Value,
  from: readonly (readonly [string, CelType])[],
): FunctionDeclaration {
  return {
    name,
    overloads: from.map(([id, type]) =>
      overload(id, [type], result, {
        implementation: convert,
        ...(id === 'string_to_bytes' ? stringToBytesCosts : id === 'bytes_to_string' ? bytesToStringCosts : {}),
      }),
    ),
  };
}

export const conversionFunctions: readonly FunctionDeclaration[] = [
  shared('type', typeOf, [overload('type', [a], typeOfType(a))]),
  conversion('bool', boolType, toBool, [
    ['bool_to_bool', boolType],
    ['string_to_bool', stringType],
  ]),
  conversion('bytes', bytesType, toBytes, [
    ['bytes_to_bytes', bytesType],
    ['string_to_bytes', stringType],
  ]),
  conversion('double', doubleType, toDouble, [
    ['double_to_double', doubleType],
    ['int64_to_double', intType],
    ['string_to_double', stringType],
    ['uint64_to_double', uintType],
  ]),
  conversion('duration', durationType, toDuration, [
    ['duration_to_duration', durationType],
    ['int64_to_duration', intType],
    ['string_to_duration', stringType],
  ]),
  shared('dyn', (value: Value) => value, [overload('to_dyn', [a], dynType)]),
  conversion('int', intType, toInt, [
    ['int64_to_int64', intType],
    ['double_to_int64', doubleType],
    ['duration_to_int64', durationType],
    ['string_to_int64', stringType],
    ['timestamp_to_int64', timestampType],
    ['uint64_to_int64', uintType],
  ]),
  conversion('string', stringType, toText, [
    ['string_to_string', stringType],
    ['bool_to_string', boolType],
    ['bytes_to_string', bytesType],
    ['double_to_string', doubleType],
    ['duration_to_string', durationType],
    ['int64_to_string', intType],
    ['timestamp_to_string', timestampType],
    ['uint64_to_string', uintType],
  ]),
  conversion('timestamp', timestampType, toTimestamp, [
    ['timestamp_to_timestamp', timestampType],
    ['int64_to_timestamp', intType],
    ['string_to_timestamp', stringType],
  ]),
  conversion('uint', uintType, toUint, [
    ['uint64_to_uint64', uintType],
    ['double_to_uint64', doubleType],
    ['int64_to_uint64', intType],
    ['string_to_uint64', stringType],
  ]),
];
