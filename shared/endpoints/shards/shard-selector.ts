import { getKey } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { parse } from '#shared/cel/parse/parse.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import type { Syntax } from '#shared/cel/syntax/syntax.ts';
import { CelDouble, CelUint, type Value } from '#shared/cel/values/value.ts';

/** Hashes from `start` to below `end`, in the client's spelling. */
interface ShardRange {
  readonly field: string;
  readonly start: string;
  readonly end: string;
}

/**
 * The part of a collection that a client requests: objects whose uid or namespace has a hash in given ranges
 * (KEP-5866).
 */
export interface ShardSelector {
  /** The selector as the list response repeats it. */
  readonly text: string;
  matches(object: KubeObject): boolean;
}

const fields: Readonly<Record<string, (object: KubeObject) => string>> = {
  'object.metadata.uid': ({ metadata }) => metadata.uid ?? '',
  'object.metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
};
/** A selector is parsed, never evaluated, so it has no macros. */
const syntax: Syntax = { macros: new Map(), optionals: false };

/** The numbers by which the reference names kinds of expressions in its errors (cel-go common/ast). */
const kinds: Readonly<Record<Expression['kind'], number>> = {
  call: 1,
  comprehension: 2,
  identifier: 3,
  list: 4,
  literal: 5,
  map: 6,
  select: 7,
  struct: 8,
};
const wholeRange = '0x10000000000000000';

/**
 * Reads `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') || …`. Throws errors in the
 * reference's words (apiserver/pkg/sharding).
 */
export function* parseShardSelector(text: string): Steps<ShardSelector> {
  if (text.trim() === '')
    throw new Error('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  const parsed = yield* parse(text.trim(), syntax);
  if ('issues' in parsed) throw new Error(`CEL parse error: ${parsed.issues[0]?.message}`);
  const ranges = rangesOf(parsed.expression);
  const [first] = ranges;
  const other = ranges.find(({ field }) => field !== first?.field);
  if (other !== undefined)
    throw new Error(
      `all shard ranges must use the same field, got ${goQuote(first?.field ?? '')} and ${goQuote(other.field)}`,
    );
  const valueOf = getKey(fields, first?.field ?? '');
  const bounds = ranges.map(({ start, end }) => [BigInt(start), BigInt(end)] as const);
  return {
    text: ranges.map(({ field, start, end }) => `shardRange(${field}, '${start}', '${end}')`).join(' || '),
    matches: (object) => {
      const hash = fnv1a(valueOf?.(object) ?? '');
      return bounds.some(([start, end]) => hash >= start && hash < end);
    },
  };
}

function rangesOf(expression: Expression): readonly ShardRange[] {
  if (expression.kind !== 'call')
    throw new Error(`unexpected expression kind ${kinds[expression.kind]}; expected shardRange() call or || operator`);
  if (expression.function === '_||_') return expression.args.flatMap(rangesOf);
  if (expression.function !== 'shardRange')
    throw new Error(`unsupported function ${goQuote(expression.function)}; only shardRange() and || are allowed`);
  return [rangeOf(expression.args)];
}

function rangeOf(args: readonly Expression[]): ShardRange {
  const [path, from, to] = args;
  if (path === undefined || from === undefined || to === undefined || args.length > 3)
    throw new Error(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  const field = fieldPath(path);
  if (!Object.hasOwn(fields, field))
    throw new Error(`unsupported field path ${goQuote(field)}; supported: ${Object.keys(fields).join(', ')}`);
  const [start, end] = [hexLiteral(from, 'hexStart'), hexLiteral(to, 'hexEnd')];
  if (BigInt(start) >= BigInt(end)) throw new Error(`shard range start ${start} must be less than end ${end}`);
  return { field, start, end };
}

function fieldPath(expression: Expression): string {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind === 'select') return `${fieldPath(expression.operand)}.${expression.field}`;
  throw new Error(
    `shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${kinds[expression.kind]}`,
  );
}

function hexLiteral(expression: Expression, name: string): string {
  if (expression.kind !== 'literal')
    throw new Error(`${name} must be a string literal (e.g. '0xff'), got expression kind ${kinds[expression.kind]}`);
  const { value } = expression;
  if (typeof value !== 'string') throw new Error(`${name} must be a string literal, got ${goType(value)}`);
  if (!value.startsWith('0x')) throw new Error(`${name} must have '0x' prefix, got ${goQuote(value)}`);
  const digits = value.slice(2);
  if (digits === '') throw new Error(`${name}: hex value is required after '0x'`);
  const { length } = Buffer.from(digits);
  if (length > 17) throw new Error(`${name}: hex value too long (${length} chars, max 17): ${goQuote(digits)}`);
  const odd = [...digits].find((digit) => !/[0-9a-f]/.test(digit));
  if (odd !== undefined) throw new Error(`${name}: invalid hex character ${goQuote(odd)} in ${goQuote(value)}`);
  if (length === 17 && value !== wholeRange)
    throw new Error(`${name}: 17-digit hex value must be '${wholeRange}' (2^64), got ${goQuote(value)}`);
  if (length < 16)
    throw new Error(
      `${name} must be a 0x-prefixed 16-digit hex value, got ${goQuote(value)} (did you mean ${goQuote(`0x${digits.padStart(16, '0')}`)}?)`,
    );
  return value;
}

function goType(value: Value): string {
  if (value === null) return 'structpb.NullValue';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Uint8Array) return '[]uint8';
  if (value instanceof CelUint) return 'uint64';
  return value instanceof CelDouble ? 'float64' : 'int64';
}

const prime = 0x100000001b3n;
const mask = 2n ** 64n - 1n;

/** FNV-1a of 64 bits. */
function fnv1a(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * prime) & mask;
  return hash;
}
