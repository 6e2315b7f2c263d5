import { isIP } from 'node:net';
import { goQuote as quote } from '#shared/apimachinery/text/go-format.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';
import { DurationError, formatDuration, parseDuration } from '#shared/apimachinery/values/duration.ts';
import { QuantityError } from '#shared/apimachinery/values/quantity-parse.ts';
import { parseQuantity } from '#shared/apimachinery/values/quantity.ts';

/** Thrown by {@link FlagKind.parse} with the reason that pflag would give. */
export class FlagValueError extends Error {}

/**
 * How one type of flag is parsed. `previous` is the value from earlier occurrences of the flag (absent at the first
 * one, which replaces the default as in pflag).
 */
export interface FlagKind<T> {
  /** The name of the type in `--help`; empty for booleans. */
  readonly typeName: string;
  readonly isBool?: boolean;
  parse(text: string, previous: T | undefined): T;
  /** The default as `--help` shows it; empty for a zero value. */
  format(value: T): string;
}

export const boolKind: FlagKind<boolean> = {
  typeName: '',
  isBool: true,
  parse(text) {
    const value = parseBool(text);
    if (value !== undefined) return value;
    throw new FlagValueError(`strconv.ParseBool: parsing ${quote(text)}: invalid syntax`);
  },
  format: (value) => (value ? 'true' : ''),
};

export const intKind: FlagKind<number> = {
  typeName: 'int',
  parse(text) {
    if (!/^[+-]?\d+$/.test(text)) throw new FlagValueError(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new FlagValueError(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
    return value;
  },
  format: (value) => (value === 0 ? '' : String(value)),
};

export const uintKind: FlagKind<number> = {
  typeName: 'uint',
  parse(text, previous) {
    if (text.startsWith('-') || text.startsWith('+'))
      throw new FlagValueError(`strconv.ParseUint: parsing ${quote(text)}: invalid syntax`);
    return intKind.parse(text, previous);
  },
  format: (value) => intKind.format(value),
};

export const floatKind: FlagKind<number> = {
  typeName: 'float',
  parse(text) {
    if (text.trim() === '' || !Number.isFinite(Number(text))) {
      throw new FlagValueError(`strconv.ParseFloat: parsing ${quote(text)}: invalid syntax`);
    }
    return Number(text);
  },
  format: (value) => (value === 0 ? '' : String(value)),
};

export const float32Kind: FlagKind<number> = { ...floatKind, typeName: 'float32' };

export const stringKind: FlagKind<string> = {
  typeName: 'string',
  parse: (text) => text,
  format: (value) => (value === '' ? '' : quote(value)),
};

export const ipKind: FlagKind<string> = {
  typeName: 'ip',
  parse(text) {
    const address = text.trim();
    // The reference knows no zones (`fe80::1%eth0`).
    if (isIP(address) === 0 || address.includes('%')) throw new FlagValueError(`failed to parse IP: ${quote(text)}`);
    return address;
  },
  format: (value) => value,
};

/** Values are milliseconds; texts have the form of Go durations. */
export const durationKind: FlagKind<number> = {
  typeName: 'duration',
  parse(text) {
    try {
      return Number(parseDuration(text)) / 1e6;
    } catch (error) {
      throw error instanceof DurationError ? new FlagValueError(error.message) : error;
    }
  },
  format: (value) => (value === 0 ? '' : formatDuration(BigInt(Math.round(value * 1e6)))),
};

/** Comma-separated and repeatable; quotes as in CSV. */
export const stringsKind: FlagKind<readonly string[]> = {
  typeName: 'strings',
  parse: (text, previous) => [...(previous ?? []), ...splitCommas(text)],
  format: (value) => (value.length === 0 ? '' : `[${value.join(',')}]`),
};

/** As {@link stringsKind}, where an empty list differs from a flag that is not given (null). */
export const optionalStringsKind: FlagKind<readonly string[] | null> = {
  typeName: 'strings',
  parse: (text, previous) => stringsKind.parse(text, previous ?? undefined),
  format: (value) => stringsKind.format(value ?? []),
};

/** Comma-separated and repeatable. */
export const int32SliceKind: FlagKind<readonly number[]> = {
  typeName: 'int32Slice',
  parse: (text, previous) => [...(previous ?? []), ...text.split(',').map((part) => parseInt32(part))],
  format: (value) => `[${value.join(',')}]`,
};

function parseInt32(text: string): number {
  const value = intKind.parse(text, undefined);
  if (value >= -(2 ** 31) && value < 2 ** 31) return value;
  throw new FlagValueError(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
}

/** Repeatable; commas belong to the value. */
export const stringArrayKind: FlagKind<readonly string[]> = {
  typeName: 'stringArray',
  parse: (text, previous) => [...(previous ?? []), text],
  format: (value) => (value.length === 0 ? '' : `[${value.join(',')}]`),
};

/** `a=b,c=d`, repeatable; a later key wins. A key without `=` has an empty value. */
export const mapKind: FlagKind<Readonly<Record<string, string>>> = {
  typeName: 'mapStringString',
  parse(text, previous) {
    const entries = new Map(Object.entries(previous ?? {}));
    for (const pair of text.split(',')) {
      if (pair.trim() === '') continue;
      const [key = '', value = ''] = pair.split(/=(.*)/s, 2);
      entries.set(key.trim(), value.trim());
    }
    return Object.fromEntries(entries);
  },
  format: (value) =>
    Object.entries(value)
      .map(([key, text]) => `${key}=${text}`)
      .join(','),
};

/** As {@link mapKind}, with one pair at a time: its value may have commas. */
export const singlePairKind: FlagKind<Readonly<Record<string, string>>> = {
  ...mapKind,
  parse(text, previous) {
    const at = text.indexOf('=');
    if (at < 0) throw new FlagValueError('malformed pair, expect string=string');
    const pair = [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
    return Object.fromEntries([...Object.entries(previous ?? {}), pair]);
  },
};

/** As {@link mapKind}, where each pair has a `=`. Commas separate pairs, but belong to a pair that is alone. */
export const stringPairsKind: FlagKind<Readonly<Record<string, string>>> = {
  typeName: 'stringToString',
  parse(text, previous) {
    const written = text.split('=').length > 2 ? splitCommas(text) : [text];
    const pairs = written.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 0) throw new FlagValueError(`${pair} must be formatted as key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    });
    return Object.fromEntries([...Object.entries(previous ?? {}), ...pairs]);
  },
  format: (value) => `[${mapKind.format(value)}]`,
};

/** An amount of bytes, such as 512Ki, kept as it was written. */
export const quantityKind: FlagKind<string> = {
  typeName: 'quantity',
  parse(text) {
    try {
      parseQuantity(text);
      return text;
    } catch (error) {
      throw error instanceof QuantityError ? new FlagValueError(error.message) : error;
    }
  },
  format: (value) => (value === '0' ? '' : value),
};

function splitCommas(text: string): string[] {
  if (text === '') return [];
  if (!text.includes('"')) return text.split(',');
  const parts: string[] = [];
  for (const match of text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    parts.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
  }
  return parts;
}
