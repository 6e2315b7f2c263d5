import { goQuote as quote } from '#shared/apimachinery/text/go-format.ts';
import { boolKind, FlagValueError, type FlagKind } from './flag-kinds.ts';
import type { FlagSection } from './flag-sections.ts';

/** One flag. Its name is the table's key in kebab case: `securePort` is `--secure-port`. */
export interface Flag<T> {
  readonly kind: FlagKind<T>;
  /** Heading in `--help`. */
  readonly section: FlagSection;
  readonly default: T;
  /** One or two sentences. */
  readonly help: string;
  /** One letter for `-x`. */
  readonly shorthand?: string;
  /** The default in `--help`, where a server of this product has another one than the reference. */
  readonly shownDefault?: string;
  /** Left out of `--help`. */
  readonly hidden?: boolean;
}

/**
 * The resolved options of a table (an object whose values are {@link Flag}s: the single source of parsing, help,
 * defaults and this type). Plain JSON values, so that they can be handed to a child process.
 */
export type OptionsOf<Table> = { readonly [Key in keyof Table]: Table[Key] extends Flag<infer T> ? T : never };

export interface ParsedFlags<Table> {
  readonly options: OptionsOf<Table>;
  /** Keys that the command line named. */
  readonly given: ReadonlySet<string>;
  readonly positional: readonly string[];
  readonly help: boolean;
  /** All errors, not only the first; empty if there are none. */
  readonly errors: readonly string[];
}

/** Declares a flag of one kind. */
export function flag<T>(
  kind: FlagKind<T>,
  section: FlagSection,
  initial: NoInfer<T>,
  help: string,
  more: { shorthand?: string; hidden?: boolean; shownDefault?: string } = {},
): Flag<T> {
  return { kind, section, default: initial, help, ...more };
}

/** `--help`, which every command line takes. */
export const helpFlag: Flag<boolean> = flag(boolKind, 'Global', false, 'Prints this text and ends.', {
  shorthand: 'h',
});

/** `securePort` → `secure-port`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `secure-port` → `securePort`. */
export function flagKey(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

interface Reading {
  readonly byName: ReadonlyMap<string, readonly [string, Flag<unknown>]>;
  readonly byShorthand: ReadonlyMap<string, string>;
  readonly values: Map<string, unknown>;
  readonly given: Set<string>;
  readonly positional: string[];
  readonly errors: string[];
}

/**
 * Reads a command line as pflag does: `--a=b`, `--a b`, `--bool`, `--bool=false`, `-v2`, `_` for `-` in names, lists
 * that accumulate, `--` before positional arguments. Continues after an error, so that all errors are reported
 * together.
 */
export function parseFlags<Table extends Readonly<Record<string, unknown>>>(
  table: Table,
  argv: readonly string[],
): ParsedFlags<Table> {
  const reading = beginReading(table);
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument === '--') {
      reading.positional.push(...argv.slice(at + 1));
      break;
    }
    if (argument.startsWith('--')) at += readLong(reading, argument.slice(2), argv[at + 1]);
    else if (argument.startsWith('-') && argument.length > 1) at += readShort(reading, argument, argv[at + 1]);
    else reading.positional.push(argument);
  }
  const { given, positional, errors } = reading;
  const help = reading.values.get('help') === true;
  reading.values.delete('help');
  given.delete('help');
  return { options: Object.fromEntries(reading.values) as OptionsOf<Table>, given, positional, help, errors };
}

/** All defaults of a table. */
export function defaultOptions<Table extends Readonly<Record<string, unknown>>>(table: Table): OptionsOf<Table> {
  return parseFlags(table, []).options;
}

function beginReading(table: Readonly<Record<string, unknown>>): Reading {
  const byName = new Map<string, readonly [string, Flag<unknown>]>();
  const byShorthand = new Map<string, string>();
  const values = new Map<string, unknown>();
  for (const [key, declared] of Object.entries({ ...table, help: helpFlag }) as [string, Flag<unknown>][]) {
    byName.set(flagName(key), [key, declared]);
    if (declared.shorthand !== undefined) byShorthand.set(declared.shorthand, flagName(key));
    values.set(key, declared.default);
  }
  return { byName, byShorthand, values, given: new Set(), positional: [], errors: [] };
}

/** Reads a long flag. Returns how many further arguments it used. */
function readLong(reading: Reading, text: string, next: string | undefined): number {
  const equals = text.indexOf('=');
  const written = equals < 0 ? text : text.slice(0, equals);
  if (written === '' || written.startsWith('-') || written.startsWith('=')) {
    reading.errors.push(`bad flag syntax: --${text}`);
    return 0;
  }
  return readValue(
    reading,
    written.replaceAll('_', '-'),
    written,
    equals < 0 ? undefined : text.slice(equals + 1),
    next,
  );
}

function readShort(reading: Reading, argument: string, next: string | undefined): number {
  const letter = argument[1] ?? '';
  const name = reading.byShorthand.get(letter);
  if (name === undefined) {
    reading.errors.push(`unknown shorthand flag: '${letter}' in ${argument}`);
    return 0;
  }
  const rest = argument.slice(2);
  return readValue(reading, name, letter, rest === '' ? undefined : rest.startsWith('=') ? rest.slice(1) : rest, next);
}

function readValue(
  reading: Reading,
  name: string,
  written: string,
  attached: string | undefined,
  next: string | undefined,
): number {
  const found = reading.byName.get(name);
  if (!found) {
    reading.errors.push(`unknown flag: --${written}`);
    return 0;
  }
  const [key, declared] = found;
  let text = attached;
  let taken = 0;
  if (text === undefined && declared.kind.isBool === true) text = 'true';
  if (text === undefined) {
    if (next === undefined) {
      reading.errors.push(`flag needs an argument: --${written}`);
      return 0;
    }
    text = next;
    taken = 1;
  }
  try {
    const previous = reading.given.has(key) ? reading.values.get(key) : undefined;
    reading.values.set(key, declared.kind.parse(text, previous));
    reading.given.add(key);
  } catch (error) {
    if (!(error instanceof FlagValueError)) throw error;
    const label = declared.shorthand === undefined ? `--${name}` : `-${declared.shorthand}, --${name}`;
    reading.errors.push(`invalid argument ${quote(text)} for ${quote(label)} flag: ${error.message}`);
  }
  return taken;
}
