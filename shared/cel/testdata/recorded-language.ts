import type { Environment } from '#shared/cel/check/environment.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { formatIssues, type Issue } from '#shared/cel/syntax/issue.ts';
import * as types from '#shared/cel/values/cel-type.ts';
import {
  CelType,
  listType,
  mapType,
  nullableType,
  objectType,
  opaqueType,
  typeOfType,
  typeParameter,
} from '#shared/cel/values/cel-type.ts';
import { durationText, timestampText, toDuration, toTimestamp } from '#shared/cel/values/conversions.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  int,
  type Value,
} from '#shared/cel/values/value.ts';

/** One expression with what cel-go answers, as conformance/main.go writes it. */
export interface Recorded {
  readonly f: string;
  readonly e: string;
  readonly n?: string;
  readonly u?: boolean;
  readonly v?: readonly (readonly [string, string])[];
  /** Functions that the test declares, without an implementation. */
  readonly fn?: readonly DeclaredFunction[];
  readonly b?: Readonly<Record<string, Json>>;
  readonly t?: string;
  readonly r?: Json;
  readonly x?: string;
  readonly p?: string;
  readonly $?: number;
  readonly i?: readonly unknown[];
  /** What else cel-go may answer. */
  readonly o?: readonly Pick<Recorded, 'r' | 'x' | '$'>[];
}

interface DeclaredFunction {
  readonly name: string;
  readonly id: string;
  readonly member?: boolean;
  readonly parameters: readonly string[];
  readonly result: string;
}

interface Json {
  readonly [kind: string]: unknown;
}

const base = baseEnvironments(36).forStored;

export function environmentOf({ n, v, fn = [] }: Recorded): Environment {
  const functions = fn.map(({ name, parameters, result, ...overload }) => ({
    name,
    overloads: [{ ...overload, parameters: parameters.map(parseType), result: parseType(result) }],
  }));
  const variables = v?.map(([name, type]) => ({ name, type: parseType(type) }));
  return base.extend({
    libraries: [{ name: 'test', functions }],
    ...(n === undefined ? {} : { container: n }),
    ...(variables === undefined ? {} : { variables }),
  });
}

const simple = new Map<string, CelType>(
  [
    types.boolType,
    types.bytesType,
    types.doubleType,
    types.durationType,
    types.dynType,
    types.intType,
    types.nullType,
    types.stringType,
    types.timestampType,
    types.uintType,
    types.anyType,
    types.typeType,
  ].map((type) => [type.name, type]),
);

function parseType(text: string): CelType {
  const open = text.indexOf('(');
  if (text.startsWith('<')) return typeParameter(text.slice(1, -1));
  if (open < 0) return simple.get(text) ?? objectType(text);
  const parts: CelType[] = [];
  for (let at = open + 1, depth = 0, from = at; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if ((text[at] === ',' && depth === 0) || (text[at] === ')' && depth-- === 0)) {
      parts.push(parseType(text.slice(from, at).trim()));
      from = at + 1;
    }
  }
  const [first, second] = parts as [CelType, CelType];
  switch (text.slice(0, open)) {
    case 'list':
      return listType(first);
    case 'map':
      return mapType(first, second);
    case 'wrapper':
      return nullableType(first);
    case 'type':
      return typeOfType(first);
    default:
      return opaqueType(text.slice(0, open), ...parts);
  }
}

export function bind({ b }: Recorded): Map<string, Value> {
  return new Map(Object.entries(b ?? {}).map(([name, value]) => [name, valueOf(value)]));
}

function valueOf(json: Json): Value {
  const [[kind, value] = ['', null]] = Object.entries(json);
  switch (kind) {
    case 'nullValue':
      return null;
    case 'int64Value':
      return int(BigInt(value as string));
    case 'uint64Value':
      return new CelUint(int(BigInt(value as string)));
    case 'doubleValue':
      return new CelDouble(Number(value));
    case 'bytesValue':
      return Buffer.from(value as string, 'base64');
    case 'listValue':
      return new ArrayList(((value as { values?: Json[] }).values ?? []).map(valueOf));
    case 'mapValue':
      return EntryMap.of(
        ((value as { entries?: { key: Json; value: Json }[] }).entries ?? []).map(
          (entry) => [valueOf(entry.key), valueOf(entry.value)] as const,
        ),
      );
    case 'typeValue':
      return simple.get(value as string) ?? new CelType('struct', value as string);
    case 'error':
      return new CelError(value as string);
    case 'objectValue':
      return objectOf(value as Json);
    default:
      return value as Value;
  }
}

/** Line and column of each issue, as they are printed, in their order. */
export function issueLocations(text: string, issues: readonly Issue[]): { l: number; c: number; m: string }[] {
  return issues
    .map((issue) => {
      const place = /^ERROR: <input>:(-?\d+):(-?\d+): /.exec(formatIssues(text, [issue]));
      return { l: Number(place?.[1]), c: Number(place?.[2]) - 1, m: issue.message };
    })
    .toSorted((a, b) => a.l - b.l || a.c - b.c);
}

/** A well-known message in protobuf's JSON form. */
function objectOf(json: Json): Value {
  const type = String(json['@type']).replace(/^.*google.protobuf./, '');
  const { value } = json;
  switch (type) {
    case 'Int32Value':
    case 'Int64Value':
      return int(BigInt(value as string));
    case 'UInt32Value':
    case 'UInt64Value':
      return new CelUint(int(BigInt(value as string)));
    case 'DoubleValue':
    case 'FloatValue':
      return new CelDouble(Number(value));
    case 'BytesValue':
      return Buffer.from(value as string, 'base64');
    case 'BoolValue':
    case 'StringValue':
      return value as Value;
    case 'Duration':
      return toDuration(value as string);
    case 'Timestamp':
      return toTimestamp(value as string);
    case 'Struct':
    case 'ListValue':
    case 'Value':
      return fromJson(value);
    default:
      return new CelError(`unknown message ${type}`);
  }
}

function fromJson(value: unknown): Value {
  if (typeof value === 'number') return new CelDouble(value);
  if (Array.isArray(value)) return new ArrayList(value.map(fromJson));
  if (typeof value !== 'object' || value === null) return value as Value;
  return EntryMap.of(Object.entries(value).map(([key, member]) => [key, fromJson(member)] as const));
}

export function printResult(value: Value): { r: Json } | { x: string } {
  if (value instanceof CelError) return { x: value.message };
  return { r: holdsNothing(value) ? { go: 'optional.none() dereference' } : jsonOf(value) };
}

function jsonOf(value: Value): Json {
  if (value === null) return { nullValue: null };
  if (typeof value === 'number' || typeof value === 'bigint') return { int64Value: String(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'string') return { stringValue: value };
  if (value instanceof CelUint) return { uint64Value: String(value.value) };
  if (value instanceof CelDouble)
    return {
      doubleValue: Number.isFinite(value.value)
        ? value.value
        : Number.isNaN(value.value)
          ? 'NaN'
          : value.value > 0
            ? 'Infinity'
            : '-Infinity',
    };
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') };
  if (value instanceof CelList)
    return {
      listValue:
        value.size === 0 ? {} : { values: Array.from({ length: value.size }, (_, index) => jsonOf(value.get(index))) },
    };
  if (value instanceof CelMap)
    return {
      mapValue:
        value.size === 0
          ? {}
          : {
              entries: Array.from(value.keys(), (key) => ({
                key: jsonOf(key),
                value: jsonOf(value.find(key) ?? null),
              })),
            },
    };
  if (value instanceof CelType) return { typeValue: value.name };
  if (value instanceof CelTimestamp)
    return {
      objectValue: {
        '@type': 'type.googleapis.com/google.protobuf.Timestamp',
        value: timestampText(new CelTimestamp(value.seconds, value.nanos)),
      },
    };
  if (value instanceof CelDuration)
    return { objectValue: { '@type': 'type.googleapis.com/google.protobuf.Duration', value: durationText(value) } };
  if (value instanceof CelOptional && value.value !== undefined) return optionalJson(value.value);
  throw new Error(`no JSON for ${value.type.name}`);
}

/** cel-go's conversion knows no optionals: it takes what they hold for a message. */
function optionalJson(value: Value): Json {
  return typeof value === 'number'
    ? { objectValue: { '@type': 'type.googleapis.com/google.protobuf.Int64Value', value: String(value) } }
    : jsonOf(value);
}

/** Whether there is an optional without a value in it, which cel-go cannot convert. */
function holdsNothing(value: Value): boolean {
  if (value instanceof CelOptional) return value.value === undefined;
  return (
    value instanceof CelList && Array.from({ length: value.size }, (_, index) => value.get(index)).some(holdsNothing)
  );
}
