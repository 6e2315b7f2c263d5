import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { formatQuantity } from '#shared/apimachinery/values/quantity.ts';
import { formatAddress } from '#shared/cel/libraries/net/address.ts';
import { CelIp } from '#shared/cel/libraries/net/ip.ts';
import { CelQuantity } from '#shared/cel/libraries/quantity/quantity.ts';
import type { CelObject } from '#shared/cel/values/cel-type.ts';
import { CelType } from '#shared/cel/values/cel-type.ts';
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

/** One run of an expression. */
export interface RecordedRun {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly decisions?: readonly RecordedDecision[];
  readonly limit?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: string;
  /** The cost if constants are folded when the program is planned, as Kubernetes does. */
  readonly folded?: string;
}

export interface RecordedDecision {
  readonly asked: Readonly<Record<string, unknown>>;
  readonly decision: number;
  readonly reason: string;
  readonly error?: string;
}

/** Upstream's results for one expression in one environment. */
export interface RecordedExpression {
  readonly test: string;
  readonly text: string;
  readonly environment: number;
  readonly type?: string;
  readonly issues?: readonly (readonly [line: number, column: number, message: string])[];
  readonly estimate?: readonly [string, string] | string;
  readonly sizes?: Readonly<Record<string, readonly [string, string]>>;
  readonly runs?: readonly RecordedRun[];
}

export interface RecordedTable<L = unknown> {
  readonly environments: readonly {
    readonly libraries: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
    readonly validators: readonly string[];
  }[];
  readonly expressions: readonly RecordedExpression[];
  readonly lines: readonly L[];
}

/** Reads testdata/gen/<name>.json. */
export function recordedTable<L>(name: string): RecordedTable<L> {
  return JSON.parse(readFileSync(new URL(`../testdata/gen/${name}.json`, import.meta.url), 'utf8')) as RecordedTable<L>;
}

/**
 * A value in the recorder's form. The entries of maps are in the order of the map, while the recorder sorts them by
 * their text; {@link sorted} makes both comparable.
 */
export function recorded(value: Value): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return { int: String(value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (value instanceof CelUint) return { uint: String(value.value) };
  if (value instanceof CelDouble) return { double: value.value };
  if (value instanceof CelDuration) return { 'google.protobuf.Duration': durationText(value) };
  if (value instanceof CelTimestamp) return { 'google.protobuf.Timestamp': timestampText(value) };
  if (value instanceof CelType) return { type: value.toString() };
  if (value instanceof CelOptional) return { optional: value.value === undefined ? [] : [recorded(value.value)] };
  if (value instanceof CelError) return { error: value.message };
  if (value instanceof CelList) return Array.from({ length: value.size }, (_, index) => recorded(value.get(index)));
  if (value instanceof CelMap)
    return {
      map: [...value.keys()].map((key) => [
        recorded(key),
        recorded(value.find(key) ?? new CelError('no such key: NaN')),
      ]),
    };
  return recordedObject(value);
}

function recordedObject(value: CelObject): unknown {
  const text =
    value instanceof CelQuantity
      ? formatQuantity(value.quantity)
      : value instanceof CelIp
        ? formatAddress(value.address)
        : undefined;
  return { object: value.type.name, ...(text === undefined ? {} : { text }) };
}

/**
 * Normalizes a recorded value: sorts the entries of maps, makes doubles numbers, and keeps the texts of only those
 * objects for which {@link recorded} writes one.
 */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const tagged = value as Readonly<Record<string, unknown>>;
  if ('map' in tagged)
    return {
      map: (sorted(tagged['map']) as unknown[]).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    };
  if ('double' in tagged) return { double: Number(String(tagged['double']).replace('Inf', 'Infinity')) };
  if ('object' in tagged && tagged['object'] !== 'kubernetes.Quantity' && tagged['object'] !== 'net.IP')
    return { object: tagged['object'] };
  return Object.fromEntries(Object.entries(tagged).map(([key, each]) => [key, sorted(each)]));
}

/** Reads a value that the recorder wrote; `object` makes the opaque objects. */
export function valueOf(written: unknown, object: (name: string, text: string) => Value = unknownObject): Value {
  if (written === null || typeof written === 'boolean' || typeof written === 'string') return written;
  if (Array.isArray(written)) return new ArrayList(written.map((each) => valueOf(each, object)));
  const tagged = written as Readonly<Record<string, string>>;
  const [[tag = '', text = ''] = []] = Object.entries(tagged);
  switch (tag) {
    case 'int':
      return int(BigInt(text));
    case 'uint':
      return new CelUint(int(BigInt(text)));
    case 'double':
      return new CelDouble(Number(text.replace('Inf', 'Infinity')));
    case 'bytes':
      return Buffer.from(text, 'base64');
    case 'google.protobuf.Duration':
      return toDuration(text);
    case 'google.protobuf.Timestamp':
      return toTimestamp(text);
    case 'map':
      return EntryMap.of(
        (text as unknown as [unknown, unknown][]).map(
          ([key, value]) => [valueOf(key, object), valueOf(value, object)] as const,
        ),
      );
    case 'object':
      return object(text, tagged['text'] ?? '');
    default:
      throw new Error(`no value for ${JSON.stringify(written)}`);
  }
}

function unknownObject(name: string): Value {
  throw new Error(`no value for ${name}`);
}
